-- Requests IDs of several keys at random, in proportion to their weights. Arguments: mode/key=weight, for example
-- segment/order=420 snowflake/event=900.
local requests, until_weight, total = {}, {}, 0

function init(args)
	for index, argument in ipairs(args) do
		local mode, key, weight = argument:match("^(%w+)/([^=]+)=([%d.]+)$")
		requests[index] = wrk.format("GET", "/api/" .. mode .. "/get/" .. key)
		total = total + tonumber(weight)
		until_weight[index] = total
	end
end

function request()
	local at = math.random() * total
	for index, weight in ipairs(until_weight) do
		if at < weight then
			return requests[index]
		end
	end
end
