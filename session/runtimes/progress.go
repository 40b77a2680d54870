package runtimes

import "time"

// Stage says what an installation is doing.
type Stage string

// The stages of an installation, in their order.
const (
	StageWaiting     Stage = "waiting"     // for another process that installs the same
	StageAsking      Stage = "asking"      // npm where the archive is
	StageDownloading Stage = "downloading" // Done and Total are bytes of the archive
	StageUnpacking   Stage = "unpacking"   // the same
	StageDone        Stage = "done"
)

// Progress is how far an installation is.
type Progress struct {
	Name    string
	Version string
	Stage   Stage
	// Done and Total are bytes; Total is 0 while it is not known.
	Done, Total int64
	// PerSecond is the present rate in bytes, Left how long the stage will take at that rate; 0 while they are not known.
	PerSecond int64
	Left      time.Duration
}

// reportEvery is how often progress is told while bytes flow: often enough to look alive.
const reportEvery = 100 * time.Millisecond

// settle is how long the rate of a stage is averaged over before it follows changes only slowly.
const settle = 3 * time.Second

// meter turns counts of bytes into progress, at most every reportEvery. One goroutine uses it.
type meter struct {
	now    func() time.Time
	report func(Progress)
	p      Progress

	told     time.Time // when progress was last told
	toldDone int64
	rate     float64 // bytes a second
}

// stage begins a stage and tells so at once.
func (m *meter) stage(s Stage, total int64) {
	m.p = Progress{Name: m.p.Name, Version: m.p.Version, Stage: s, Total: max(0, total)}
	m.told, m.toldDone, m.rate = m.now(), 0, 0
	m.report(m.p)
}

// add counts bytes.
func (m *meter) add(n int64) {
	m.p.Done += n
	now := m.now()
	since := now.Sub(m.told)
	if since < reportEvery {
		return
	}
	m.measure(since)
	m.told, m.toldDone = now, m.p.Done
	m.report(m.p)
}

// measure averages the rate so that the time left does not jump about: what is new weighs as much as the time it took.
func (m *meter) measure(since time.Duration) {
	current := float64(m.p.Done-m.toldDone) / since.Seconds()
	if m.rate == 0 {
		m.rate = current
	} else {
		weight := min(1, since.Seconds()/settle.Seconds())
		m.rate += (current - m.rate) * weight
	}
	m.p.PerSecond = int64(m.rate)
	m.p.Left = 0
	if m.p.Total > m.p.Done && m.rate >= 1 {
		m.p.Left = time.Duration(float64(m.p.Total-m.p.Done) / m.rate * float64(time.Second))
	}
}
