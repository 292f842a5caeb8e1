-- Asks for IDs of one key after the other, and prints what it has cost: requests a second, and milliseconds of which 50, 99 and
-- 99.9 percent of the answers stayed below. Arguments: number of keys, number of IDs in an answer (1 for a single ID).
local requests = {}
local at = 0

function init(args)
	local keys = tonumber(args[1])
	local count = tonumber(args[2])
	for key = 1, keys do
		local path = "/api/segment/get/key-" .. key
		requests[key] = wrk.format("GET", count > 1 and path .. "?count=" .. count or path)
	end
end

function request()
	at = at % #requests + 1
	return requests[at]
end

function done(summary, latency)
	local errors = summary.errors
	io.write(string.format("LOAD %.0f %.3f %.3f %.3f %d\n", summary.requests / summary.duration * 1e6,
		latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
		errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
