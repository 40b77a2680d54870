package rules

import (
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

// policyPath returns the administrator's file, below the folder for the data of programs as the system has it.
func policyPath() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "parley", "policy.yaml")
}

// writing are the rights with which a file can be changed, replaced or given away.
const writing = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER |
	windows.GENERIC_WRITE | windows.GENERIC_ALL

// guard returns why users other than administrators may have written the file or its directory: administrators or the system
// must own both, and no other account may write to the file. The folders above are the system's.
func guard(path string) (why string, err error) {
	file := policyPath()
	if path != file && path != filepath.Dir(file) {
		return "", nil
	}
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return "", err
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return "", err
	}
	if !administers(owner) {
		return "is not owned by an administrator", nil
	}
	acl, _, err := sd.DACL()
	if path != file || err != nil {
		return "", err
	}
	if acl == nil {
		return "can be written by everyone", nil
	}
	for i := range uint32(acl.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(acl, i, &ace); err != nil {
			return "", err
		}
		sid := (*windows.SID)(unsafe.Pointer(&ace.SidStart))
		if ace.Header.AceType == windows.ACCESS_ALLOWED_ACE_TYPE && ace.Mask&writing != 0 && !administers(sid) {
			return "can be written by others than administrators", nil
		}
	}
	return "", nil
}

// administers reports whether an account is that of the administrators or of the system.
func administers(sid *windows.SID) bool {
	for _, kind := range []windows.WELL_KNOWN_SID_TYPE{windows.WinBuiltinAdministratorsSid, windows.WinLocalSystemSid} {
		if sid.IsWellKnown(kind) {
			return true
		}
	}
	return false
}
