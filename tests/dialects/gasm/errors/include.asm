%include nowhere.i
