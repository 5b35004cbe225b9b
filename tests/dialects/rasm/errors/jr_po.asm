 jr po,$
