package wire

import (
	"bytes"
	"fmt"
	"testing"

	"parley/session"
)

// sawEvents are the events of a turn in which calls returned media.
func sawEvents(media ...session.Media) []session.Event {
	h := session.Head{Session: "s", Turn: "t"}
	out := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "look"}}}
	for i, m := range media {
		id := session.CallID(fmt.Sprint("c", i))
		out = append(out, session.ToolStarted{Head: h, Call: id, Name: "Read"},
			session.ToolReady{Head: h, Call: id, Input: []byte(`{"file_path":"a"}`)},
			session.ToolEnded{Head: h, Call: id, Result: session.ToolResult{Text: "a: an image", Media: []session.Media{m}}})
	}
	return append(out, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
}

// sentAfter returns the messages of the next request as bytes, after all events went through the journal's encoding.
func sentAfter(t *testing.T, events []session.Event, m session.Model) []byte {
	t.Helper()
	var tr session.Transcript
	for _, e := range events {
		line, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if e, err = session.DecodeEvent(line); err != nil {
			t.Fatal(err)
		}
		tr.Apply(e)
	}
	out, err := EncodeJSON(FitMedia(Join(Pieces(tr.Turns, false), m.ID), m))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestImagesAreSentToModelsThatSeeThem(t *testing.T) {
	image, pdf := session.Media{MediaType: "image/png", Data: []byte("png")}, session.Media{MediaType: "application/pdf", Data: []byte("pdf")}
	events := sawEvents(image, pdf)
	tests := map[string]struct {
		m          session.Model
		image, pdf string
	}{
		"sees and reads": {session.Model{Name: "m", Vision: true, PDF: true},
			`[{"type":"text","text":"a: an image"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}}]`,
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"}}`},
		"neither": {session.Model{Name: "m"}, `{"type":"text","text":"` + unseenImage + `"}`, `{"type":"text","text":"` + unreadDocument + `"}`},
		"unknown": {session.Model{ID: "m"}, `"data":"cG5n"`, `"data":"cGRm"`},
	}
	for name, test := range tests {
		got := sentAfter(t, events, test.m)
		if !bytes.Contains(got, []byte(test.image)) || !bytes.Contains(got, []byte(test.pdf)) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What was sent before is sent again unchanged, until there is so much that a whole step is left out.
func TestOldImagesAreLeftOutInSteps(t *testing.T) {
	m := session.Model{Name: "m", Vision: true}
	var media []session.Media
	var before []Content
	changed := 0
	for i := range 16 {
		media = append(media, session.Media{MediaType: "image/png", Data: bytes.Repeat([]byte{byte(i)}, mediaStep/4)})
		var all []Message
		var tr session.Transcript
		for _, e := range sawEvents(media...) {
			tr.Apply(e)
		}
		all = FitMedia(Join(Pieces(tr.Turns, false), m.ID), m)
		results := all[len(all)-1].Content
		size := 0
		for j, c := range results {
			size += c.mediaSize()
			if j < len(before) && c.mediaSize() != before[j].mediaSize() {
				changed++
				break
			}
		}
		if size > 3*mediaStep {
			t.Fatalf("%d bytes after %d images", size, i+1)
		}
		before = results
	}
	if changed != 3 { // four images are a step, and the first two steps are sent whole
		t.Errorf("what was sent before changed %d times", changed)
	}
}
