// Package queue holds the prompts of a session that wait to be delivered, and the one being delivered.
//
// In come prompts and what the user, the agent and the session do with them; out goes the order of delivery. A [Queue] has no lock: that
// of its session guards it. It calls nothing and publishes nothing.
package queue
