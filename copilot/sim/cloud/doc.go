// Package cloud simulates GitHub's cloud agent: its jobs, sessions and logs, and what GitHub itself knows of their pull
// requests.
//
// In come requests as plain values, out go answers; the server of package sim, or of a test, checks the token and
// writes them. A task goes through its states as the clock goes on: queued, in progress with a log that grows, a pull request
// after a while, an end, checks that pass. Words in the problem statement choose another course ([Plan], [PlanOf]). A comment
// that mentions @copilot begins another session of its pull request.
//
// The package imports nothing of this module: it is a second reading of the service, after gh's client of it. It uses no
// network and no files.
package cloud
