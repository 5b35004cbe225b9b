 ERROR "stop"
