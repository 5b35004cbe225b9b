-- What the source beside this calls.
function from_file(text)
    for i = 1, #text do
        sj.add_byte(text:byte(i) + offset)
    end
end
offset = 1
sj.insert_label("twice_of_it", offset * 2)
