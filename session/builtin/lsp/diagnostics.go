package lsp

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// maxFiles and maxPerFile bound the diagnostics that are kept, maxMessage a message in bytes.
	maxFiles   = 2000
	maxPerFile = 300
	maxMessage = 400
	// maxProgress bounds the running tasks that a server reports.
	maxProgress = 100
)

// finding is one diagnostic of a file.
type finding struct {
	path     string
	at       position
	severity severity
	code     string
	source   string
	message  string
}

// sameness identifies a finding where lines have moved.
type sameness struct {
	path, code, message string
	severity            severity
}

func (f finding) key() sameness { return sameness{f.path, f.code, f.message, f.severity} }

// board is the newest diagnostics of a server, by file, and what it is busy with. It is safe for concurrent use.
type board struct {
	mu      sync.Mutex
	files   map[string]*published
	busy    map[string]bool // running tasks, by their tokens
	told    uint64          // how often the server has reported something
	at      time.Time       // when it last did
	changed chan struct{}   // closed and replaced with every report
}

// published are the diagnostics of one file.
type published struct {
	pushed, pulled []finding
	version        int    // of the document, -1 if unknown
	told           uint64 // the board's count when it was pushed
	at             time.Time
}

func newBoard() *board {
	return &board{files: map[string]*published{}, busy: map[string]bool{}, changed: make(chan struct{})}
}

// tick records a report. The caller holds the lock.
func (b *board) tick() {
	b.told++
	b.at = time.Now()
	close(b.changed)
	b.changed = make(chan struct{})
}

// file returns the entry of a file, nil if there are too many. The caller holds the lock.
func (b *board) file(path string) *published {
	p := b.files[path]
	if p == nil && len(b.files) < maxFiles {
		p = &published{version: -1}
		b.files[path] = p
	}
	return p
}

// publish replaces the pushed diagnostics of a file.
func (b *board) publish(path string, version *int, list []finding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tick()
	p := b.file(path)
	if p == nil {
		return
	}
	p.pushed, p.told, p.version, p.at = list, b.told, -1, b.at
	if version != nil {
		p.version = *version
	}
}

// pull replaces the diagnostics of a file that the server was asked for.
func (b *board) pull(path string, list []finding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.file(path); p != nil {
		p.pulled = list
	}
}

// forget drops the diagnostics of a file that is gone.
func (b *board) forget(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.files, path)
}

// progress records that a task begins or ends.
func (b *board) progress(token string, ends bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ends {
		delete(b.busy, token)
	} else if len(b.busy) < maxProgress {
		b.busy[token] = true
	}
	b.tick()
}

// count returns how often the server has reported something so far.
func (b *board) count() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.told
}

// all returns everything known, by file and place, each finding once.
func (b *board) all() []finding {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []finding
	for _, p := range b.files {
		out = append(out, p.pushed...)
		for _, f := range p.pulled {
			if !slices.Contains(p.pushed, f) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Character, b.at.Character),
			cmp.Compare(a.severity, b.severity), cmp.Compare(a.message, b.message))
	})
	return out
}

// waiting is what a wait for diagnostics is about.
type waiting struct {
	// versions are those of documents that were sent at a time, when the board's count was since.
	versions map[string]int
	since    uint64
	sent     time.Time
	// files reports that the server was told of files that are not open: about them it says nothing if nothing is wrong, so
	// that the wait is longer.
	files bool
}

// filesFactor is by how much longer a server must be quiet where it was told of files.
const filesFactor = 5

// waitFrom returns a wait that begins now.
func (b *board) waitFrom() waiting {
	return waiting{versions: map[string]int{}, since: b.count(), sent: time.Now()}
}

// settled reports whether the server has spoken about all documents, does nothing more, and has been quiet for a while: for
// as long as it needed to speak about the documents if that is longer, since a busy machine is as slow with what follows.
// Otherwise it returns when to look again, 0 if only a report can change it. The channel is closed with the next report.
func (b *board) settled(w waiting, quiet time.Duration) (yes bool, again time.Duration, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.busy) > 0 {
		return false, 0, b.changed
	}
	if w.files {
		quiet *= filesFactor
	}
	for path, version := range w.versions {
		p := b.files[path]
		if p == nil && len(b.files) >= maxFiles {
			continue
		}
		if p == nil || p.told <= w.since || p.version >= 0 && p.version < version {
			return false, 0, b.changed
		}
		quiet = max(quiet, p.at.Sub(w.sent))
	}
	if left := quiet - min(time.Since(b.at), time.Since(w.sent)); left > 0 {
		return false, left, b.changed
	}
	return true, 0, b.changed
}

// findingsOf returns the diagnostics of a file as findings, bounded.
func findingsOf(path string, list []diagnostic) []finding {
	out := make([]finding, 0, min(len(list), maxPerFile))
	for _, d := range list[:min(len(list), maxPerFile)] {
		s := d.Severity
		if s == 0 {
			s = severityError // the protocol leaves it to the client
		}
		if s > severityWarning || s < severityError {
			continue
		}
		message := strings.Join(strings.Fields(strings.ToValidUTF8(d.Message, "\uFFFD")), " ")
		out = append(out, finding{path: path, at: d.Range.Start, severity: s, code: cut(d.code(), 60), source: cut(d.Source, 40),
			message: cut(message, maxMessage)})
	}
	return out
}

// cut bounds a text, in bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
