package runtimes

const (
	claudeNative = "@anthropic-ai/claude-code"
	claudeSDK    = "@anthropic-ai/claude-agent-sdk"
)

// claude is the Claude Code runtime. Up to 2.1.112 it is a script for node, cli.js of the Agent SDK; later versions are
// native programs in one package per platform.
var claude = family{
	name: "claude", title: "Claude Code", command: "claude", configKey: "claude",
	main: claudeNative, part: func(p Platform) string { return claudeNative + "-" + p.key() },
	oldest: "2.1.112", newest: claudeNewest,
	pins: []pin{
		{version: "2.1.112", packages: map[string]npmPackage{anyPlatform: {
			name: claudeSDK, version: "0.2.112", script: true,
			integrity: "sha512-vMFoiDKlOive8p3tphpV1gQaaytOipwGJ+uw9mvvaLQUODSC2+fCdRDAY25i2Tsv+lOtxzXBKctmaDuWqZY7ig==",
			size:      19_084_773,
		}}},
		{version: "2.1.197", packages: nativePackages("2.1.197", map[string]tested{
			"linux-x64":        {"sha512-rIlKmrY0QMyHgPRX/MYWNj039vbypICvI9jVe3rs9Xy2RnNklySjyPxqh62QadznzoftEO23uYQ1tFePcQ//bg==", 77_071_446},
			"linux-arm64":      {"sha512-sx6SoGj3MNR5CV+YDkNtbLHXa1tn3G8qcYFgm1gnvOi9ODQUKbhiPfankJfkTMDVekOvnKJhm6i9hGFIPzp7cQ==", 76_574_985},
			"linux-x64-musl":   {"sha512-/Ij3+inZf96Lb1BLnO0rWArRi1HqIMh6HeGrQoykrp7a8Yj0SA1EQIO42kpNeVxM9z3o3xUaiIf0FRMzLIp6oQ==", 75_296_465},
			"linux-arm64-musl": {"sha512-r3taVK9rDaMahHkrCGV8wF1Sjphs7fqXy2ZEznyDGxUqeW6HxgkbG7dPplXnwwGiMTdYLrtQTQMN21ZTxcVHBA==", 74_469_751},
			"darwin-x64":       {"sha512-DOPeGTQqJWVENJsxwMxJtLOx+7OBINEDg9trQldlJR1nBssaYzNj1WWxp37JYSBRjeYLhqLipvDqEA0LMglL7A==", 70_657_376},
			"darwin-arm64":     {"sha512-1FOVhJzkKGWgOEEsvaK3ylCEmjKeJiXwfKl7RtNEbiDj7OxhRQ1G1CLN0HGDTTq1QwY+Dm2x1Yscdv5NfobAxQ==", 67_617_662},
			"win32-x64":        {"sha512-bH/146HdS+MO2ndTvljKUJQbcKuvOWujH02WiLkhQJmo/YJLTCMnn1P/jxjjv6W9y/+LGxN58SfdHa6zobatTw==", 76_720_309},
			"win32-arm64":      {"sha512-P/1y1JcBSKNRt9asd0bhGRwLdD7yLnq9BlXdA0KHC+0zTm/WPqsCHupt8C7f7adb14//dVlkkbRT+9F5Iup/qA==", 75_083_884},
		})},
		{version: claudeNewest, packages: nativePackages(claudeNewest, claudeNewestArchives)},
	},
	packages: func(version string, p Platform) []npmPackage {
		var list []npmPackage
		if nativePlatforms[p.key()] {
			list = append(list, npmPackage{name: claudeNative + "-" + p.key(), version: version})
		}
		// Before the native packages, the main one contained the script. Since then it contains a program that only reports
		// the missing part, which job.check refuses.
		return append(list, npmPackage{name: claudeNative, version: version, script: true})
	},
	programs: []string{"claude", "claude.exe", "cli.js"},
	versionOf: func(m manifest) (string, bool) {
		switch {
		case m.Name == claudeSDK:
			return m.ClaudeCodeVersion, m.ClaudeCodeVersion != ""
		case m.Name == claudeNative, nativePlatforms[trimPrefix(m.Name, claudeNative+"-")]:
			return m.Version, m.Version != ""
		}
		return "", false
	},
}

// nativePlatforms are the platforms with a native package.
var nativePlatforms = map[string]bool{
	"linux-x64": true, "linux-arm64": true, "linux-x64-musl": true, "linux-arm64-musl": true,
	"darwin-x64": true, "darwin-arm64": true, "win32-x64": true, "win32-arm64": true,
}

// tested is the hash and the size in bytes of a tested archive.
type tested struct {
	integrity string
	size      int64
}

func nativePackages(version string, archives map[string]tested) map[string]npmPackage {
	m := make(map[string]npmPackage, len(archives))
	for platform, a := range archives {
		m[platform] = npmPackage{name: claudeNative + "-" + platform, version: version, integrity: a.integrity, size: a.size}
	}
	return m
}
