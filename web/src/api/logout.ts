/** Revokes the session of an access token, also if the page is left before the response. */
export const postLogout = (accessToken: string, credentials: RequestCredentials = 'same-origin'): Promise<Response> =>
  fetch('/api/auth/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: '{}',
    credentials,
    keepalive: true,
  })

/** Whether the session has ended with this response, or had ended before. */
export const hasEnded = ({ ok, status }: Response): boolean => ok || status === 401
