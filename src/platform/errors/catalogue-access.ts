export const accessErrors = {
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    description: 'The request has no credential, or its Authorization header cannot be parsed.',
    remedy: 'Send `Authorization: Bearer` followed by an access token or an API key.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    description: 'The token or API key was not issued by this service, or its type is not accepted here.',
    remedy: 'Send an access token, not a refresh token. If the error persists, sign in again.',
  },
  token_expired: {
    status: 401,
    title: 'Expired token',
    description:
      'Access tokens are valid for a few minutes, refresh tokens and API keys as long as the workspace allows.',
    remedy: 'Get a new access token from POST /api/auth/refresh, or sign in again.',
  },
  scope_required: {
    status: 403,
    title: 'Missing scope',
    description: 'Neither the role nor the API key grants the scope in `required_scope`.',
    remedy: 'Ask an admin for another role, or use an API key that has the scope.',
  },
  role_required: {
    status: 403,
    title: 'Missing role',
    description: 'Only the roles named in the message are allowed to do this.',
    remedy: 'Ask a user who has one of these roles.',
  },
  read_only_key: {
    status: 403,
    title: 'Read-only API key',
    description: 'The API key was created with the preset `read_only` and cannot write, whatever its scopes.',
    remedy: 'Use another API key to make changes.',
  },
  session_required: {
    status: 403,
    title: 'User session required',
    description: 'This endpoint does not accept API keys.',
    remedy: 'Sign in and send the access token.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Reauthentication required',
    description: 'Sensitive changes require a sign-in within the last 15 minutes.',
    remedy: 'Confirm your identity with POST /api/auth/reauthenticate or sign in again, then repeat the request.',
  },
  impersonation_not_allowed: {
    status: 403,
    title: 'Not allowed while impersonating',
    description:
      'Some actions are reserved for the users themselves, and the workspace settings decide which users admins may impersonate.',
    remedy: 'End the impersonation and repeat the request as yourself, if you have permission.',
  },
  password_change_required: {
    status: 403,
    title: 'Password change required',
    description: 'The password is temporary, or an admin requested a new one.',
    remedy: 'Set a new password with POST /api/auth/change-password.',
  },
  email_verification_required: {
    status: 403,
    title: 'Email verification required',
    description: 'Verify your email address to get access to the workspace.',
    remedy: 'Follow the link in the verification email.',
  },
}
