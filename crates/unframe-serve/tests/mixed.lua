-- Mixed traffic for wrk: six of ten requests post a page that was not there before, four ask. At its end it tells how many
-- posted pages were answered, to be compared with `kept_pages` of /readyz (every page has an address of its own).

local all = {}
id, counter, acked, seen = 0, 0, 0, {}

function setup(thread)
  thread:set("id", #all)
  table.insert(all, thread)
end

local words = { "apple", "pear", "plum", "cherry", "grape", "melon", "fig", "date", "lime", "lemon" }
local menu = "<html><head><title>Page</title></head><body><ul id=menu>" .. string.rep("<li><a href='/section'>A link of the menu</a></li>", 40) .. "</ul><div id=content>"
local foot = "</div><div id=foot>" .. string.rep("<p>Imprint, contact and all that</p>", 20) .. "</div></body></html>"

local function page()
  local text = {}
  for n = 1, 60 do text[n] = "<p>" .. words[(counter * n) % 10 + 1] .. " " .. counter .. " " .. n .. " some words of this page alone</p>" end
  return menu .. table.concat(text) .. foot
end

function request()
  counter = counter + 1
  local kind = counter % 10
  if kind < 6 then
    local address = "http://s" .. counter % 50 .. ".example/" .. id .. "/" .. counter
    return wrk.format("POST", "/api/v1/pages?as=text&url=" .. address, { ["Content-Type"] = "text/html" }, page())
  end
  local asked = { [6] = "sites?limit=20", [7] = "pages/" .. (1 + counter % 500), [8] = "search?q=apple&limit=5", [9] = "pages/" .. (1 + counter % 500) .. "/clean" }
  return wrk.format("GET", "/api/v1/" .. asked[kind])
end

function response(status, headers, body)
  seen[status] = (seen[status] or 0) + 1
  if status == 200 and body:find('^{"became"') then acked = acked + 1 end
end

function done(summary, latency)
  local pages, statuses = 0, {}
  for _, thread in ipairs(all) do
    pages = pages + thread:get("acked")
    for status, count in pairs(thread:get("seen")) do statuses[status] = (statuses[status] or 0) + count end
  end
  local errors = summary.errors
  io.write(string.format("p50 %.1f ms, p99 %.1f ms, max %.0f ms\n", latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
  io.write(string.format("connections that failed: %d, broke off: %d, timed out: %d\n", errors.connect, errors.read + errors.write, errors.timeout))
  for status, count in pairs(statuses) do io.write("status ", status, ": ", count, "\n") end
  io.write("posted pages that were answered: ", pages, "\n")
end
