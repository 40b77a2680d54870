// Package compact decides when a conversation of the builtin agent is too long for its model, and what becomes of it. In come
// the pieces of a request and the tokens that the service counted. Out go estimates, the results to leave out, the place where
// a summary ends, and the words that ask a model for it. It is pure.
//
// A conversation is made shorter before it reaches the limit of the model. First old results are left out, if that is enough
// for a while. Otherwise the model summarises everything but the newest answers.
//
// It may import session and session/builtin/wire.
package compact
