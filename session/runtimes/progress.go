package runtimes

import "time"

// Stage is the current step of an installation.
type Stage string

// The stages of an installation, in their order.
const (
	StageWaiting     Stage = "waiting"     // for another process that installs the same
	StageAsking      Stage = "asking"      // npm where the archive is
	StageDownloading Stage = "downloading" // Done and Total are bytes of the archive
	StageUnpacking   Stage = "unpacking"   // the same
	StageDone        Stage = "done"
)

// Progress is the state of an installation.
type Progress struct {
	Name    string
	Version string
	Stage   Stage
	// Done and Total are bytes; Total is 0 if unknown.
	Done, Total int64
	// PerSecond is the current rate in bytes, Left the time left at that rate; 0 if unknown.
	PerSecond int64
	Left      time.Duration
}

// reportEvery bounds how often progress is reported.
const reportEvery = 100 * time.Millisecond

// rateTime is the time over which the rate is averaged.
const rateTime = 3 * time.Second

// meter reports counted bytes as progress, at most every reportEvery. It is not safe for concurrent use.
type meter struct {
	now    func() time.Time
	report func(Progress)
	p      Progress

	reported     time.Time // time of the last report
	reportedDone int64
	rate         float64 // bytes per second
}

// stage begins a stage and reports it at once.
func (m *meter) stage(s Stage, total int64) {
	m.p = Progress{Name: m.p.Name, Version: m.p.Version, Stage: s, Total: max(0, total)}
	m.reported, m.reportedDone, m.rate = m.now(), 0, 0
	m.report(m.p)
}

// add counts bytes.
func (m *meter) add(n int64) {
	m.p.Done += n
	now := m.now()
	since := now.Sub(m.reported)
	if since < reportEvery {
		return
	}
	m.measure(since)
	m.reported, m.reportedDone = now, m.p.Done
	m.report(m.p)
}

// measure updates the average rate. A new value has a weight by its time, so that the time left stays steady.
func (m *meter) measure(since time.Duration) {
	current := float64(m.p.Done-m.reportedDone) / since.Seconds()
	if m.rate == 0 {
		m.rate = current
	} else {
		weight := min(1, since.Seconds()/rateTime.Seconds())
		m.rate += (current - m.rate) * weight
	}
	m.p.PerSecond = int64(m.rate)
	m.p.Left = 0
	if m.p.Total > m.p.Done && m.rate >= 1 {
		m.p.Left = time.Duration(float64(m.p.Total-m.p.Done) / m.rate * float64(time.Second))
	}
}
