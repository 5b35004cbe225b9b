 fail nono
