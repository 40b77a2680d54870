// Package caps bounds what sessions cost: each of them, and all together on a local day.
//
// In come the user's limits, the costs that sessions of this process report, and what the stored ones cost today. Out come the problem
// of a limit that is reached, and how much is spent. The package stops nothing itself, and reads files through its options only.
package caps
