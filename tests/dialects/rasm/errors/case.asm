 case 1
