// Package apierror reads what the service answers besides words: its errors, how long to wait, the quotas of the account.
//
// In come errors of Anthropic's SDK and headers of responses; out go errors and quotas of package session. It is pure, and may
// import session only.
package apierror
