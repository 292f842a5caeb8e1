-- Asks for IDs of one key after the other, and prints what it has cost: requests a second, and the milliseconds of which 50, 99 and
-- 99.9 percent of the answers stayed below; 99.9 percent once more as wrk counts them; errors. Arguments: number of keys, number of
-- IDs in an answer (1 for a single ID). The environment's CONNECTIONS is what wrk was given with -c.
--
-- wrk does not print percentiles of the answers it got. A connection that waits asks for nothing meanwhile, so for each answer that
-- took two of its usual intervals or more wrk adds those that it would have got: for one of 4 ms, at an interval of 0.1 ms, 38 of 3.9,
-- 3.8, 3.7 ms and so on down to 0.2 (stats_correct in its stats.c, "coordinated omission"). That is a figure of its own, how long who
-- comes at any moment has to wait. It is not what a TP999 of answers is, so the added ones are taken back here.
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

-- The microseconds that answers took, ascending, and how many took each. What was added for an answer are only smaller values, so from
-- the largest one downwards each count is exact by the time its additions are taken back.
local function answers(summary, latency)
	local values, counts = {}, {}
	for i = 1, #latency do
		local value, count = latency(i)
		values[i], counts[value] = value, count
	end
	local interval = math.floor(summary.duration / math.floor(summary.requests / tonumber(os.getenv("CONNECTIONS"))))
	for i = #values, 1, -1 do
		local value = values[i]
		if value >= 2 * interval then
			for added = value - interval, interval + 1, -interval do
				counts[added] = counts[added] - counts[value]
			end
		end
	end
	return values, counts
end

local function percentile(values, counts, total, percent)
	local seen = 0
	for _, value in ipairs(values) do
		seen = seen + counts[value]
		if seen >= total * percent / 100 then
			return value / 1000
		end
	end
end

function done(summary, latency)
	local errors = summary.errors
	local values, counts = answers(summary, latency)
	local total = 0
	for _, value in ipairs(values) do
		total = total + counts[value]
	end
	-- answers after more than two seconds are counted as errors, and in no percentile
	assert(total + errors.timeout == summary.requests, "wrk counts otherwise than this script believes")
	io.write(string.format("LOAD %.0f %.3f %.3f %.3f %.3f %d\n", summary.requests / summary.duration * 1e6,
		percentile(values, counts, total, 50), percentile(values, counts, total, 99), percentile(values, counts, total, 99.9),
		latency:percentile(99.9) / 1000, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
