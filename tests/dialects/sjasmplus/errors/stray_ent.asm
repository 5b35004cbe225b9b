 ent
