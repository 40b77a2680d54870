package claude

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"parley/session"
)

func TestPromptContent(t *testing.T) {
	for _, tc := range []struct {
		name   string
		prompt session.Prompt
		want   string
	}{
		{"words", session.Prompt{Text: "hello"}, `"hello"`},
		{"nothing", session.Prompt{}, `""`},
		{"pasted", session.Prompt{Text: "see", Attachments: []session.Attachment{{Kind: session.AttachPaste, Text: "long"}}},
			`"see\n\n<pasted>\nlong\n</pasted>"`},
		{"image alone", session.Prompt{Attachments: []session.Attachment{{Kind: session.AttachImage, MediaType: "image/png", Data: []byte("x")}}},
			`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"eA=="}}]`},
		{"image without data", session.Prompt{Text: "a", Attachments: []session.Attachment{{Kind: session.AttachImage}}}, `"a"`},
		{"all", session.Prompt{Text: "look", Attachments: []session.Attachment{
			{Kind: session.AttachFile, Path: "/a/b.go"},
			{Kind: session.AttachDirectory, Path: "/a/"},
			{Kind: session.AttachSelection, Path: "/a/c.go", FirstLine: 3, LastLine: 5, Text: "x := `y`\n"},
			{Kind: session.AttachSelection, Path: "/a/d.md", FirstLine: 7, LastLine: 7, Text: "```"},
			{Kind: session.AttachFile, Path: "https://example.com/x"},
			{Kind: session.AttachImage, MediaType: "image/png", Data: []byte("x")},
		}}, "[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"eA==\"}}," +
			"{\"type\":\"text\",\"text\":\"look\"}," +
			"{\"type\":\"text\",\"text\":\"<system-reminder>\\nThe user points to these. Read what you need of them.\\n" +
			"- /a/b.go\\n- /a/\\n- /a/c.go:3-5\\n```\\nx := `y`\\n```\\n- /a/d.md:7\\n````\\n```\\n````\\n- https://example.com/x\\n</system-reminder>\"}]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := promptContent(tc.prompt)
			if err != nil {
				t.Fatal(err)
			}
			var a, b any
			if err := json.Unmarshal(got, &a); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(tc.want), &b); err != nil {
				t.Fatal(err)
			}
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			if string(x) != string(y) {
				t.Errorf("\n got %s\nwant %s", x, y)
			}
		})
	}
}

// A turn's UUID is its prompt's, and no UUID is written twice.
func TestPromptIDs(t *testing.T) {
	const turn = "11111111-2222-4333-8444-555555555555"
	ids := promptIDs{session: "s", used: map[string]bool{}}
	if got := ids.next(turn); got != turn {
		t.Errorf("%s, want %s", got, turn)
	}
	again := promptIDs{session: "s", used: map[string]bool{turn: true}}
	seen := map[string]bool{turn: true}
	for _, id := range []string{turn, "turn-1", "turn-1", turn} {
		got := ids.next(id)
		if seen[got] || uuid.Validate(got) != nil {
			t.Errorf("%s: %s", id, got)
		}
		seen[got] = true
		if want := again.next(id); got != want {
			t.Errorf("%s: %s in one conversation, %s in another of the same session", id, got, want)
		}
	}
}
