-- What scripts find: the functions of `sj` and `zx`, and of Lua's own library what a
-- script could run without end in, or what differs from run to run, written anew.
local host, seek = ...
local type, tostring, select, error, next, rawequal = type, tostring, select, error, next, rawequal
local getmetatable, setmetatable, ipairs, load_text = getmetatable, setmetatable, ipairs, load
local sub, byte, rep = string.sub, string.byte, string.rep
local pack, unpack, concat, sort = table.pack, table.unpack, table.concat, table.sort

local function ask(name)
    return function(...) return host.call(name, ...) end
end

-- Texts.

local function text(v, n, name)
    if type(v) == "string" then return v end
    if type(v) == "number" then return tostring(v) end
    error("bad argument #" .. n .. " to '" .. name .. "' (string expected, got " .. type(v) .. ")", 3)
end

local function first(s, init)
    init = init or 1
    if init < 0 then init = #s + init + 1 end
    return init < 1 and 1 or init
end

local function caught(s, from, to, ...)
    if not from then return nil end
    if select("#", ...) == 0 then return sub(s, from, to) end
    return ...
end

function string.find(s, p, init, plain)
    s, p = text(s, 1, "find"), text(p, 2, "find")
    return seek(s, p, first(s, init), plain and "plain" or "")
end

function string.match(s, p, init)
    s, p = text(s, 1, "match"), text(p, 2, "match")
    return caught(s, seek(s, p, first(s, init), ""))
end

function string.gmatch(s, p, init)
    s, p = text(s, 1, "gmatch"), text(p, 2, "gmatch")
    local from, last = first(s, init), nil
    return function()
        local m = pack(seek(s, p, from, "free", last))
        if not m[1] then
            from = #s + 2
            return nil
        end
        last = m[2] + 1
        from = last
        return caught(s, unpack(m, 1, m.n))
    end
end

local function filled(with, s, m)
    local out, i = {}, 1
    while true do
        local at = seek(with, "%", i, "plain")
        if not at then break end
        out[#out + 1] = sub(with, i, at - 1)
        local c = sub(with, at + 1, at + 1)
        local n = byte(c) and byte(c) - 48
        if c == "%" then
            out[#out + 1] = "%"
        elseif n == 0 or n == 1 and m.n == 2 then
            out[#out + 1] = sub(s, m[1], m[2])
        elseif n and n >= 1 and n <= 9 then
            if n > m.n - 2 then error("invalid capture index %" .. n .. " in replacement string", 3) end
            out[#out + 1] = tostring(m[n + 2])
        else
            error("invalid use of '%' in replacement string", 3)
        end
        i = at + 2
    end
    out[#out + 1] = sub(with, i)
    return concat(out)
end

function string.gsub(s, p, with, most)
    s, p = text(s, 1, "gsub"), text(p, 2, "gsub")
    local kind = type(with)
    if kind == "number" then with, kind = tostring(with), "string" end
    if kind ~= "string" and kind ~= "table" and kind ~= "function" then
        error("bad argument #3 to 'gsub' (string/function/table expected, got " .. kind .. ")", 2)
    end
    local out, from, last, n = {}, 1, nil, 0
    while not most or n < most do
        local m = pack(seek(s, p, from, "", last))
        if not m[1] then break end
        n = n + 1
        out[#out + 1] = sub(s, from, m[1] - 1)
        local made
        if kind == "string" then
            made = filled(with, s, m)
        else
            local key = m[3]
            if m.n == 2 then key = sub(s, m[1], m[2]) end
            if kind == "table" then made = with[key] else made = with(caught(s, unpack(m, 1, m.n))) end
            if not made then
                made = sub(s, m[1], m[2])
            elseif type(made) ~= "string" and type(made) ~= "number" then
                error("invalid replacement value (a " .. type(made) .. ")", 2)
            end
        end
        out[#out + 1] = made
        last = m[2] + 1
        from = last
        if byte(p) == 94 then break end
    end
    out[#out + 1] = sub(s, from)
    return concat(out), n
end

function string.rep(s, n, sep)
    s, sep = text(s, 1, "rep"), sep or ""
    if n < 1 or #s + #sep == 0 then return "" end
    return rep(s, n, sep)
end

string.dump = nil

-- Tables.

function table.insert(t, ...)
    local size, n = #t, select("#", ...)
    if n == 1 then
        t[size + 1] = (...)
        return
    elseif n ~= 2 then
        error("wrong number of arguments to 'insert'", 2)
    end
    local at, v = ...
    if at < 1 or at > size + 1 then
        error("bad argument #2 to 'insert' (position out of bounds)", 2)
    end
    for i = size, at, -1 do t[i + 1] = t[i] end
    t[at] = v
end

function table.remove(t, at)
    local size = #t
    if at == nil then
        at = size
    elseif size + 1 ~= at and size ~= 0 and (at < 1 or at > size + 1) then
        error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
    local v = t[at]
    for i = at, size - 1 do t[i] = t[i + 1] end
    if at <= size then t[size] = nil else t[at] = nil end
    return v
end

function table.move(from, a, z, to, other)
    other = other or from
    if z < a then return other end
    if to > z or to <= a or not rawequal(from, other) then
        for i = 0, z - a do other[to + i] = from[a + i] end
    else
        for i = z - a, 0, -1 do other[to + i] = from[a + i] end
    end
    return other
end

-- In the order of the keys: numbers, texts, then the rest.
local ranks = { number = 1, string = 2 }

local function before(a, b)
    local x, y = ranks[type(a)] or 3, ranks[type(b)] or 3
    if x ~= y or x == 3 then return x < y end
    return a < b
end

function pairs(t)
    local own = getmetatable(t)
    if type(own) == "table" and own.__pairs then return own.__pairs(t) end
    local keys = {}
    for k in next, t do keys[#keys + 1] = k end
    sort(keys, before)
    local i = 0
    return function()
        repeat i = i + 1 until keys[i] == nil or t[keys[i]] ~= nil
        return keys[i], t[keys[i]]
    end, t, nil
end

local seed = math.randomseed
function math.randomseed(n) seed(n or 0) end
seed(0)

-- What there is not.

local function missing(name, why)
    return setmetatable({}, {
        __index = function(_, key) error(name .. "." .. tostring(key) .. " is not there: " .. why, 2) end,
    })
end

for _, name in ipairs { "io", "os", "debug", "package" } do
    _G[name] = missing(name, "a source reaches no files and starts no programs")
end
coroutine = missing("coroutine", "scrimp has no coroutines")
for _, name in ipairs { "dofile", "loadfile", "require" } do
    _G[name] = function() error(name .. " is not there: a source reaches no files", 2) end
end
function load(chunk, name, _, env)
    if type(chunk) ~= "string" then error("load takes a text here", 2) end
    if env == nil then env = _G end
    return load_text(chunk, name or chunk, "t", env)
end
collectgarbage, warn = nil, nil

-- What sources from before Lua 5.2 have: older versions of sjasmplus ran them.

_G.unpack = unpack
function table.getn(t) return #t end
function math.pow(x, y) return x ^ y end

print = ask("print")

-- The assembler.

local numbers = { pass = true, current_address = true, warning_count = true, error_count = true }
sj, zx = {}, {}
for _, name in ipairs {
    "calc", "parse_line", "parse_code", "error", "warning", "get_define", "insert_define",
    "get_label", "insert_label", "add_byte", "add_word", "get_byte", "get_word", "get_device",
    "set_device", "get_modules", "get_page_at", "set_page", "set_slot", "exit", "shellexec",
    "file_exists",
} do sj[name] = ask(name) end
for _, name in ipairs { "trdimage_create", "trdimage_add_file", "save_snapshot_sna" } do
    zx[name] = ask(name)
end
_c, _pl, _pc = sj.calc, sj.parse_line, sj.parse_code
setmetatable(sj, {
    __index = function(_, key)
        if numbers[key] then return host.call(key) end
    end,
    __newindex = function(_, key, v)
        if key ~= "current_address" then error("no writable variable '" .. tostring(key) .. "'", 2) end
        host.call("go", v)
    end,
})
