foo: jp FOO
 .end
