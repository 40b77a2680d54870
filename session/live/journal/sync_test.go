package journal

import (
	"errors"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// diskJournal is a journal on a disk that may be slow or full.
type diskJournal struct {
	takes time.Duration // of a sync

	mu             sync.Mutex
	full           error
	pending, files []session.Event // not written, written
	safe           int             // how many of files a loss of power leaves
	syncs          int
}

func (j *diskJournal) Append(e session.Event) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pending = append(j.pending, e)
	if _, isDelta := session.Fragment(e); isDelta {
		return nil
	}
	return j.write()
}

func (j *diskJournal) write() error {
	if j.full != nil && len(j.pending) > 0 {
		return j.full
	}
	j.files, j.pending = append(j.files, j.pending...), nil
	return nil
}

func (j *diskJournal) Flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.write()
}

func (j *diskJournal) Close() error { return errors.Join(j.Flush(), j.Sync()) }

func (j *diskJournal) Sync() error {
	j.mu.Lock()
	n := len(j.files)
	j.syncs++
	j.mu.Unlock()
	time.Sleep(j.takes)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.safe = n
	return nil
}

// state returns how many events are written, how many survive a loss of power, and how often the disk was synced.
func (j *diskJournal) state() (written, safe, syncs int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.files), j.safe, j.syncs
}

func (j *diskJournal) set(full error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.full = full
}

// A stream is synced at most four times a second, beside it, and prompts and the ends of turns at once.
func TestSyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &diskJournal{takes: 100 * time.Millisecond}
		var log session.Log
		w := New(&log, 20*time.Millisecond, func(err error) { t.Error(err) })
		w.Start(j)
		defer func() {
			if err := w.Stop()(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		log.Add(session.TurnStarted{Head: session.Head{Turn: "t"}})
		synctest.Wait()
		if written, _, syncs := j.state(); written != 1 || syncs != 1 {
			t.Errorf("a turn has begun: %d written, %d syncs", written, syncs)
		}
		time.Sleep(time.Second)
		_, _, before := j.state()
		for range 200 { // 2 s
			log.Add(session.PartDelta{Head: session.Head{Turn: "t"}, Part: "p", Text: "x"})
			time.Sleep(10 * time.Millisecond)
		}
		if written, safe, syncs := j.state(); syncs-before < 6 || syncs-before > 9 || written < 60 || safe < written-40 {
			t.Errorf("a stream of 2 s: %d syncs, %d written, %d safe", syncs-before, written, safe)
		}
		_, _, before = j.state()
		log.Add(session.TurnEnded{Head: session.Head{Turn: "t"}})
		synctest.Wait()
		time.Sleep(3 * j.takes) // one sync may have been running
		if written, safe, _ := j.state(); safe != written {
			t.Errorf("the turn has ended: %d of %d safe", safe, written)
		}
		time.Sleep(time.Minute)
		if _, _, syncs := j.state(); syncs-before > 3 {
			t.Errorf("%d syncs of nothing", syncs-before)
		}
	})
}

// A full disk is reported once, nothing is acknowledged that it did not take, and all is written once there is room, unasked.
func TestAFullDiskIsWrittenLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &diskJournal{}
		var log session.Log
		var reports []error
		w := New(&log, time.Second, func(err error) { reports = append(reports, err) })
		w.Start(j)
		log.Add(session.Notice{Text: "a"})
		synctest.Wait()
		j.set(syscall.ENOSPC)
		for _, text := range []string{"b", "c", "d"} {
			log.Add(session.Notice{Text: text})
			if err := <-w.Ask(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("acknowledged: %v", err)
			}
		}
		time.Sleep(time.Minute)
		if len(reports) != 1 || !errors.Is(reports[0], syscall.ENOSPC) {
			t.Errorf("reports: %v", reports)
		}
		j.set(nil)
		time.Sleep(2 * retryEvery)
		synctest.Wait()
		var all strings.Builder
		j.mu.Lock()
		for _, e := range j.files {
			all.WriteString(e.(session.Notice).Text)
		}
		j.mu.Unlock()
		if all.String() != "abcd" || len(reports) != 2 || reports[1] != nil {
			t.Errorf("written %q, reports %v", all.String(), reports)
		}
		if err := w.Stop()(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
