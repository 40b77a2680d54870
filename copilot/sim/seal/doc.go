// Package seal makes what the simulated service signs: the signatures of reasoning, and encrypted reasoning.
//
// In come texts and models. Out go values that depend on these alone, so that a conversation can go on with another server of this
// kind, and whether such a value is unchanged. It is pure and imports nothing of this program.
package seal
