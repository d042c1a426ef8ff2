/** A core that cannot be loaded, as where a native module is missing. */
throw Object.assign(new Error('/somewhere/better_sqlite3.node'), { code: 'ERR_DLOPEN_FAILED' })
