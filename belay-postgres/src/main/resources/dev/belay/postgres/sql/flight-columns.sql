f.session, f.token, f.leased_at, f.begun_at
