// Package limit shows and sets the limits of what the session and a day may cost, for the command /limit.
//
// In come the session and what is written behind the command; out goes an effect that reports what is spent, or sets a limit of the
// session while it is open. Lasting limits are settings.
package limit
