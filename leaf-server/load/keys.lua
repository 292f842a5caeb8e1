-- Requests IDs of the keys in turn, or ranges of one number of one key, and prints the result: requests per second; the 50th, 99th and
-- 99.9th percentiles of the response time in milliseconds; the 99.9th percentile as computed by wrk; errors. Arguments: the number of
-- keys, or "range"; and the number of IDs in a response (1 for a single ID). The environment variable CONNECTIONS contains the value of
-- wrk's option -c.
--
-- The percentiles that wrk prints are not those of the responses it received. A waiting connection sends no requests, so for each
-- response that took at least two of its usual intervals, wrk adds the responses to the requests that it would have sent meanwhile:
-- for one of 4 ms, at an interval of 0.1 ms, 38 responses of 3.9, 3.8, 3.7 ms and so on down to 0.2 (stats_correct in its stats.c,
-- "coordinated omission"). The result is the waiting time of a request that arrives at a random moment. It is not the TP999 of the
-- responses, so the added responses are removed here.
local requests = {}
local at = 0

function init(args)
	if args[1] == "range" then
		local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
		requests[1] = wrk.format("POST", "/api/segment/allocate/key-1", headers, "size=1")
		return
	end
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

-- Returns the response times in microseconds, ascending, and the number of responses for each. The values that wrk added for a
-- response are smaller than its own, so in descending order each count is exact before its additions are removed.
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
	-- wrk counts responses after more than two seconds as errors, and leaves them out of the percentiles
	assert(total + errors.timeout == summary.requests, "the counts of wrk do not add up as this script expects")
	io.write(string.format("LOAD %.0f %.3f %.3f %.3f %.3f %d\n", summary.requests / summary.duration * 1e6,
		percentile(values, counts, total, 50), percentile(values, counts, total, 99), percentile(values, counts, total, 99.9),
		latency:percentile(99.9) / 1000, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
