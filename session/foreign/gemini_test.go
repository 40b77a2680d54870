package foreign

import (
	"strings"
	"testing"
)

const geminiPath = ".gemini/tmp/hello/chats/session-2026-11-29T06-45-7a1c551a.jsonl"

const geminiHead = `{"sessionId":"s1","startTime":"2026-11-29T06:45:42Z","kind":"main"}` + "\n"

// TestGeminiRecords reads each kind of record, and what changes earlier ones.
func TestGeminiRecords(t *testing.T) {
	const (
		hi    = `{"id":"a","type":"user","content":[{"text":"hi"}]}` + "\n"
		yes   = `{"id":"b","type":"gemini","content":"yes","model":"m"}` + "\n"
		again = `{"id":"c","type":"user","content":"again"}` + "\n"
	)
	for name, c := range map[string]struct{ text, want string }{
		"a message that grows": {geminiHead + hi + yes + `{"id":"b","type":"gemini","content":"yes!"}` + "\n", "1 > \"hi\"\n  text \"yes!\"\n  completed\n"},
		"taken back":           {geminiHead + hi + yes + again + `{"$rewindTo":"c"}` + "\n", "1 > \"hi\"\n  text \"yes\"\n  completed\n"},
		"taken back and said again": {geminiHead + hi + yes + `{"$rewindTo":"b"}` + "\n" + yes + again,
			"1 > \"hi\"\n  text \"yes\"\n  completed\n2 > \"again\"\n  completed\n"},
		"replaced": {geminiHead + hi + yes + `{"$set":{"messages":[` + strings.TrimSpace(again) + `]}}`, "1 > \"again\"\n  completed\n"},
		"a call that failed": {geminiHead + hi + `{"id":"b","type":"gemini","content":"","toolCalls":[{"id":"x","name":"read_file","args":{"absolute_path":"/a"},"status":"error","result":[{"functionResponse":{"response":{"error":"none"}}}]}]}`,
			"1 > \"hi\"\n  call x Read {\"file_path\":\"/a\"}: failed \"none\"\n  completed\n"},
		"a call that did not end": {geminiHead + hi + `{"id":"b","type":"gemini","content":"","toolCalls":[{"id":"x","name":"glob","args":null,"status":"cancelled"}]}`,
			"1 > \"hi\"\n  call x glob {}: cancelled \"\"\n  completed\n"},
		"an error":       {geminiHead + hi + `{"id":"b","type":"error","content":"no quota"}`, "1 > \"hi\"\n  failed no quota\n"},
		"an information": {geminiHead + hi + `{"id":"b","type":"info","content":"new version"}`, "1 > \"hi\"\n  note \"new version\"\n  completed\n"},
		"damage": {geminiHead + "{\n" + hi + `{"id":7}` + "\n" + yes,
			"1 > \"hi\"\n  text \"yes\"\n  completed\n > \"\"\n  note \"Gemini CLI's record of this session: 2 damaged entries were left out.\"\n  \n"},
		"an older version": {`{"sessionId":"s1","startTime":"2026-01-01T00:00:00Z","messages":[` + strings.TrimSpace(hi) + "," + strings.TrimSpace(yes) + `]}`,
			"1 > \"hi\"\n  text \"yes\"\n  completed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := programs(t, written(t, map[string]string{geminiPath: c.text}), nil)["gemini"]
			events, err := p.Replay(t.Context(), "gemini-s1")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(conversation(events), "gemini-s1-", ""); got != c.want {
				t.Errorf("got\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestGeminiDirectories finds the directory of a session by the name of its folder, its hash, and a file in it; without one it is unknown.
func TestGeminiDirectories(t *testing.T) {
	text := func(id string) string {
		return strings.Replace(geminiHead, "s1", id, 1) + `{"id":"a","type":"user","content":"hi"}` + "\n"
	}
	home := written(t, map[string]string{
		".gemini/projects.json":                     `{"projects":{"/repos/a":"a","/repos/b":"b"}}`,
		".gemini/tmp/a/chats/session-1.jsonl":       text("a"),
		".gemini/tmp/c/chats/session-1.jsonl":       text("c"),
		".gemini/tmp/c/.project_root":               "/repos/c\n",
		".gemini/tmp/d/chats/session-1.jsonl":       text("d"),
		".gemini/tmp/e/chats/session-1.jsonl":       "[]",
		".gemini/tmp/f/chats/session-1.jsonl":       strings.Replace(text("f"), "main", "subagent", 1),
		".gemini/tmp/g/chats/session-1.jsonl":       geminiHead,
		".gemini/tmp/h/chats/session-1.jsonl":       text("../x"),
		".gemini/tmp/bin/unrelated/session-1.jsonl": "x",
		".gemini/tmp/5199bb15fb39a84d38e2984c066fa3a09b7f74761b5d06e245ffcaf2ec5dcec9/chats/session-1.json": text("hash"),
	})
	p := programs(t, home, nil)["gemini"]
	metas, err := p.Sessions(t.Context())
	if err == nil || !strings.Contains(err.Error(), "/e/chats/") || !strings.Contains(err.Error(), `"../x" is not the id`) {
		t.Errorf("the bad files are not named: %v", err)
	}
	dirs := map[string]string{}
	for _, m := range metas {
		dirs[string(m.ID)] = m.Dir
	}
	if len(metas) != 4 || dirs["gemini-a"] != "/repos/a" || dirs["gemini-c"] != "/repos/c" || dirs["gemini-d"] != "" || dirs["gemini-hash"] != "/repos/b" {
		t.Errorf("%v", dirs)
	}
}
