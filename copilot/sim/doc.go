// Package sim simulates GitHub's REST API and the Copilot API on a loopback port.
//
// It serves tests, the sim command and the demo. In come HTTP requests from any client of the two services and a
// [script.Script] with the answers of the simulated model; out go the responses of the real services: endpoint
// discovery, the older token exchange, the model list and model sessions, the Messages API, the Responses API and Chat
// Completions, with and without streaming, quota headers, and on demand every failure worth testing ([script.Fault]).
// [Account] selects the plan of the account and the requirements of its endpoint. Requests that the real service would
// refuse are refused with its texts. Everything received is stored for assertions ([Server.Requests]).
//
// The package imports nothing of this module but its script language: it is a second, independent reading of the
// protocol, so that a misunderstanding in the client cannot hide in a shared type. It never listens on anything but
// loopback, never uses the network and touches no file.
//
// Behaviour follows the Copilot API as clients of mid and late 2026 saw it (API versions 2025-04-01 to 2026-08-01) and
// version 2023-06-01 of the Anthropic Messages API. All three inference APIs play the same scripts.
package sim
