package claude

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestForeignEdits has an edit of Claude Code itself: the ends that are shown have what the file contained, for the tracker,
// and the ends of a stored transcript do not.
func TestForeignEdits(t *testing.T) {
	withHome(t, func(t *testing.T, ch *chat, home string) {
		ch.turn(1, "hello")
		store(t, home, exchange("sdk-go", string(turnID(1)), "", "hello")...)
		if err := ch.c.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		const prompt = "11111111-0000-4000-8000-000000000001"
		lines := exchange("cli", prompt, string(turnID(1))+"-answer", "from outside")
		const form = `{"parentUuid":%q,"isSidechain":false,"type":%q,"uuid":%q,"timestamp":"2026-01-01T12:00:01.000Z","entrypoint":"cli","message":%s%s}`
		lines = append(lines,
			fmt.Sprintf(form, prompt+"-answer", "assistant", "call", `{"id":"m-call","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Edit","input":{"file_path":"/project/a"}}]}`, ""),
			fmt.Sprintf(form, "call", "user", "result", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"updated"}]}`,
				`,"toolUseResult":{"filePath":"/project/a","originalFile":"one\n","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-one","+two"]}]}`),
		)
		store(t, home, lines...)
		if err := ch.c.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		ends := eventsOf[session.ToolEnded](ch)
		if len(ends) != 1 || len(ends[0].Edits) != 1 || ends[0].Edits[0].Before == nil || *ends[0].Edits[0].Before != "one\n" {
			t.Errorf("shown are %+v", ends)
		}
		stored, err := ch.a.Replay(context.Background(), wakeID)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, e := range stored {
			if e, ok := e.(session.ToolEnded); ok {
				found = true
				if len(e.Edits) != 1 || e.Edits[0].Before != nil || e.Edits[0].Added != 1 {
					t.Errorf("the transcript has %+v", e.Edits)
				}
			}
		}
		if !found {
			t.Error("the transcript has no edit")
		}
	}, withFiles(&sessiontest.FileTracker{}))
}
