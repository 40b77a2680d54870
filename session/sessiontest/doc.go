// Package sessiontest gives tests a world in which a [session.Manager] lives without processes, files or a network: an
// agent whose turns a test plays step by step, journals and endpoints in memory, and a log of who was called in which
// order. It is for the tests of this module; the program itself does not import it.
//
// A test makes a [World], takes its manager, sends a prompt, and gets the turn in hand with [Agent.Turn]:
//
//	w := sessiontest.NewWorld()
//	m := w.Manager()
//	s, err := m.Draft(live.DraftOptions{Dir: "/project"})
//	// a test fails here on err
//	s.Send(session.Prompt{Text: "hello"})
//	turn := w.Agent.Turn(t)
//	turn.Text("hi ", "there")
//	turn.End(session.TurnCompleted)
//
// All types are safe for concurrent use and work under testing/synctest.
package sessiontest
