package paint

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A title is text for terminals that read bytes, too.
func TestTitlesHoldNoEndOfString(t *testing.T) {
	if got := plainTitle("“x” なぜ\x1b\a\u009c"); got != "\"x” な·" {
		t.Errorf("%q", got)
	}
}

func TestGraphemesAreTakenAndGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		p.Draw(rows("⚠️ careful"), Now)
		synctest.Wait()
		out.take()
		if !p.ModeReport(2027, 2) {
			t.Error("not measured by clusters although the terminal can")
		}
		synctest.Wait()
		if w := strings.Join(out.take(), ""); !strings.Contains(w, "\x1b[?2027h") || !strings.Contains(w, "careful") {
			t.Errorf("wrote %q, want the mode and the frame again", w)
		}
		p.Stop(nil)
		if w := strings.Join(out.take(), ""); !strings.Contains(w, "\x1b[?2027l") {
			t.Errorf("wrote %q, want the mode given back", w)
		}
	})
}

func TestReleaseAndRetake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		p.Draw(rows("before"), Now)
		synctest.Wait()
		out.take()

		p.Release()
		if w := out.take(); !slices.Equal(w, []string{giving(p.heldModes(false, p.opts.Mouse, false))}) {
			t.Fatalf("released with %q", w)
		}
		p.Draw(rows("meanwhile"), Now)
		p.Resize(30, 4)
		p.Release()
		time.Sleep(time.Minute)
		if w := out.take(); len(w) != 0 {
			t.Fatalf("wrote %q while the terminal was not ours", w)
		}

		p.Retake()
		p.Retake()
		synctest.Wait()
		w := out.take()
		if len(w) != 2 || w[0] != taking(p.heldModes(false, p.opts.Mouse, false)) || !strings.Contains(w[1], "meanwhile") {
			t.Fatalf("retaken with %q", w)
		}
		p.Stop([]string{"\x1b[31mtail", "end"})
		want := giving(p.heldModes(false, p.opts.Mouse, false)) + "\x1b[31mtail\x1b[m\r\nend\x1b[m\r\n"
		if w := out.take(); !slices.Equal(w, []string{want}) {
			t.Fatalf("stopped with %q, want %q", w, want)
		}
		p.Stop([]string{"again"})
		p.Release()
		p.Retake()
		p.Draw(rows("late"), Now)
		p.Emergency()
		if w := out.take(); len(w) != 0 {
			t.Fatalf("wrote %q after the end", w)
		}
	})
}

func TestRetakePaintsTheOldFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		p.Draw(rows("the frame"), Now)
		synctest.Wait()
		p.Release()
		out.take()
		p.Retake()
		synctest.Wait()
		if w := strings.Join(out.take(), ""); !strings.Contains(w, "the frame") {
			t.Errorf("wrote %q, want the frame that was there", w)
		}
	})
}

func TestTitle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		defer p.Stop(nil)
		p.Draw(Frame{Title: "parley: \x1b]52;c;x\x07\u009cfix"}, Now)
		synctest.Wait()
		if !strings.Contains(out.String(), "\x1b]2;parley: ]52;c;xfix\x07") {
			t.Errorf("wrote %q", out.String())
		}
	})
}
