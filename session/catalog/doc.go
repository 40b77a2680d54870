// Package catalog adapts the Copilot client to the interfaces of package session: [session.Catalog], with
// [session.QuotaReporter] and [session.SettingsChecker].
//
// It lists the models of the login as agents can use them, reports the account and what is left of its plan, and checks
// a model or an effort before a session uses it. The data for that check is stored on disk for a day, because a start
// must not wait for the network. The package never substitutes another model for the requested one.
package catalog
