%endif
