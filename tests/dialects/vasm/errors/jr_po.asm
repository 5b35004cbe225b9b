 jr po,5
