gcl0x
Count Count= Count+ Count- Count& Count| Count^
Here, Here. Here; Here:
<Count, >Count, <Count. >Count. <Count++ >Count++
Count<++ Count>++ Count<, Count>, Count<. Count>.
Call! call
a b c d e f g h i j k l m n o p q r s t u v w x y z
A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
_vAC _vAC= <_vAC. >_vAC, _sysFn= >_sysArgs0++
peek deek push pop
