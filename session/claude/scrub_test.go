//go:build contract

package claude

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	uuids   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	ids     = regexp.MustCompile(`\b(msg|toolu|req)_[A-Za-z0-9_]+`)
	numbers = regexp.MustCompile(`"((?:[a-z_]*(?:duration|ttft)[a-z_]*_ms|time_to_request_ms|totalDurationMs|durationMs|total_cost_usd|costUSD|pid|end_time|start_time|startTime|endTime|cumulativeDroppedTokens))":[0-9.e-]+`)
	counts  = regexp.MustCompile(`"([A-Za-z0-9_]*[tT]okens?|token_count|total_nano_aiu)":([0-9]+)`)
	words   = regexp.MustCompile(`(subagent_tokens|total_tokens): [0-9]+`)
	stamps  = regexp.MustCompile(`"(timestamp|date|updatedAt|createdAt)":"[^"]*"`)
	notSlug = regexp.MustCompile(`[^A-Za-z0-9]`) // what the runtime replaces in the names of its project folders
	agents  = regexp.MustCompile(`"(task_id|agentId|agent_id|backgroundTaskId|task_ids?)":"([^"]+)"`)
	plans   = regexp.MustCompile(`plans/[a-z-]+\.md`)
	outputs = regexp.MustCompile(`tool-results/[A-Za-z0-9_-]+\.`)
	markers = regexp.MustCompile(`\(parley-error:1:([A-Za-z0-9_-]+)\)`)
	sockets = regexp.MustCompile(`"messaging_socket_path":"[^"]*"`)
)

// scrub makes a recording the same on every machine and every time: paths, ids, secrets, times, and counts that depend
// on the length of a path.
func scrub(b []byte, home, bearer, url string) []byte {
	s := string(b)
	for _, r := range [][2]string{
		{home, "/home/user"}, {notSlug.ReplaceAllString(home, "-"), "-home-user"}, {bearer, "secret.session"}, {url, "http://127.0.0.1:1"},
		{strings.TrimPrefix(url, "http://"), "127.0.0.1:1"},
	} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	s = numbers.ReplaceAllString(s, `"$1":1`)
	s = stamps.ReplaceAllString(s, `"$1":"2026-01-01T12:00:00.000Z"`)
	s = sockets.ReplaceAllString(s, `"messaging_socket_path":"/home/user/socket"`)
	s = plans.ReplaceAllString(s, "plans/the-plan.md")
	s = outputs.ReplaceAllString(s, "tool-results/output.")
	s = markers.ReplaceAllStringFunc(s, remark)
	s = words.ReplaceAllString(s, "$1: 1")
	s = regexp.MustCompile(`duration_ms: [0-9]+`).ReplaceAllString(s, "duration_ms: 1")
	s = counts.ReplaceAllStringFunc(s, round)
	seen, made := map[string]string{}, map[string]int{}
	stable := func(kind, format string) func(string) string {
		return func(id string) string {
			if strings.HasPrefix(id, "11111111-1111-4111-8111-") {
				return id // our own
			}
			if seen[id] == "" {
				made[kind]++
				seen[id] = fmt.Sprintf(format, made[kind])
			}
			return seen[id]
		}
	}
	s = uuids.ReplaceAllStringFunc(s, stable("uuid", "00000000-0000-4000-8000-%012d"))
	s = ids.ReplaceAllStringFunc(s, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		return stable(kind, kind+"_%02d")(id)
	})
	for _, m := range agents.FindAllStringSubmatch(s, -1) {
		if !strings.HasPrefix(m[2], "agent0") && len(m[2]) > 6 {
			s = strings.ReplaceAll(s, m[2], stable("agent", "agent0%d")(m[2]))
		}
	}
	return []byte(s)
}

// remark rewrites a marker of the proxy without the id of the request.
func remark(marker string) string {
	data := markers.FindStringSubmatch(marker)[1]
	raw, err := base64.RawURLEncoding.DecodeString(data)
	if err != nil {
		return marker
	}
	var d struct {
		Kind       string `json:"k"`
		Status     int    `json:"s"`
		RetryAfter int64  `json:"w"`
	}
	if json.Unmarshal(raw, &d) != nil {
		return marker
	}
	fields := map[string]any{"k": d.Kind, "s": d.Status, "r": "request"}
	if d.RetryAfter > 0 {
		fields["w"] = d.RetryAfter
	}
	b, err := json.Marshal(fields)
	if err != nil {
		return marker
	}
	return strings.Replace(marker, data, base64.RawURLEncoding.EncodeToString(b), 1)
}

// round keeps the first digit of a count that is larger than a hundred.
func round(count string) string {
	key, digits, _ := strings.Cut(count, ":")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 100 {
		return count
	}
	unit := 1
	for n >= 10*unit {
		unit *= 10
	}
	return fmt.Sprintf("%s:%d", key, (n+unit/2)/unit*unit)
}
