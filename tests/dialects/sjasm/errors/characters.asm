 ascmap 'a'..300,5
