gcl0x zpReset=$60
First= Second=
*=$300 _Code=* First Second Third=
$3F0: _End=* \Code \End &_Code
execute=$3F0
*=$400 *=$404 {the one before has no bytes} Third \Later _Later=*
zpReset=$7F Fourth= Fifth= \Later
*=$2C0 #1 *=$2C1 #2 {touches}
