 endswitch
