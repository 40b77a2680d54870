package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// generate makes a transcript of so many messages (prompts, answers and results), as the runtimes write them. With logs,
// it holds the records of requests that the newest runtimes write in between, which make it seven times as long.
func generate(messages int, logs bool) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	parent := any(nil)
	n := 0
	id := func() string { n++; return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) }
	log := func(of int) {
		if logs {
			fmt.Fprintf(&b, `{"type":"api-request","uuid":%q,"body":%q}`+"\n", id(), strings.Repeat(`{"role":"user"} \n `, of/18))
		}
	}
	line := func(fields map[string]any, message any) {
		uuid := id()
		var head bytes.Buffer
		p, _ := json.Marshal(parent)
		m := &bytes.Buffer{}
		e := json.NewEncoder(m)
		e.SetEscapeHTML(false)
		e.Encode(message)
		fmt.Fprintf(&head, `{"parentUuid":%s,"isSidechain":false,"message":%s`, p, bytes.TrimSpace(m.Bytes()))
		rest, _ := json.Marshal(fields)
		head.WriteString("," + string(rest[1:len(rest)-1]))
		fmt.Fprintf(&head, `,"uuid":%q,"timestamp":%q,"userType":"external","entrypoint":"sdk-go","cwd":"/home/user/project","sessionId":"10000000-0000-4000-8000-000000000001","version":"2.1.197","gitBranch":"main"}`,
			uuid, epoch.Add(time.Duration(n)*time.Second).Format("2006-01-02T15:04:05.000Z"))
		b.Write(append(head.Bytes(), '\n'))
		parent = uuid
	}
	usage := map[string]any{"input_tokens": 107, "cache_creation_input_tokens": 31445, "cache_read_input_tokens": 0, "output_tokens": 66,
		"server_tool_use": map[string]any{"web_search_requests": 0}, "service_tier": "standard"}
	say := func(turn, of int, block map[string]any) {
		line(map[string]any{"type": "assistant", "requestId": "req_1"}, map[string]any{"content": []any{block}, "id": fmt.Sprintf("msg_%d_%d", turn, of),
			"model": "claude-sonnet-4-6", "role": "assistant", "stop_reason": "end_turn", "type": "message", "usage": usage})
	}
	prose := strings.Repeat("This is a sentence of an answer, with `code` and \"quotes\".\n", 12)
	code := strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", name, err)\n\t}\n", 25)
	for turn := 0; turn < messages/11; turn++ {
		line(map[string]any{"type": "user", "permissionMode": "default"}, map[string]any{"role": "user", "content": fmt.Sprintf("prompt %d: do this and that", turn)})
		for round := range 3 {
			log(6 * 2200)
			call := fmt.Sprintf("toolu_%d_%d", turn, round)
			say(turn, round, map[string]any{"type": "text", "text": prose})
			say(turn, round, map[string]any{"type": "tool_use", "id": call, "name": "Read", "input": map[string]any{"file_path": "/home/user/project/main.go"}})
			line(map[string]any{"type": "user", "toolUseResult": map[string]any{"type": "text", "file": map[string]any{"filePath": "/home/user/project/main.go", "content": code}}},
				map[string]any{"role": "user", "content": []any{map[string]any{"tool_use_id": call, "type": "tool_result", "content": code}}})
		}
		say(turn, 9, map[string]any{"type": "text", "text": prose})
	}
	return b.Bytes()
}

// place writes a session's transcript below a configuration directory.
func place(t testing.TB, configDir, id string, data []byte) string {
	t.Helper()
	path := filepath.Join(configDir, "projects", "-home-user-project", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
