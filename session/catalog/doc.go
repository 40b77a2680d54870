// Package catalog adapts the Copilot client to what the session rooms ask: [session.Catalog], with [session.QuotaReporter]
// and [session.SettingsChecker].
//
// It lists the models of the login as agents can use them, reports the account and what is left of its plan, and checks a
// model or an effort before a session uses it. What is needed for that check is stored on disk for a day, because a start
// must not wait for the network. It never chooses another model than the one that was asked for.
package catalog
