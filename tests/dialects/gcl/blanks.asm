{before {the {first}} word}gcl0x{behind}X{between}Y
{
 lines mean nothing: ; // " ' [ ] ( )
}
[def{nothing}X=[if>0{x}1]2]Y=	Z
	_a=* {a label} \a	\vAC;{
}5
