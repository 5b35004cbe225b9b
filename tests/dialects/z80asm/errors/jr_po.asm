	jr po,$
