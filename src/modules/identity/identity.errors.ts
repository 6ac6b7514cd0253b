import type { ErrorCatalogue } from '#platform/errors'

export const identityErrors: ErrorCatalogue = {
  token_revoked: {
    status: 401,
    title: 'Revoked token',
    description: 'The user signed out or changed the password, or the session or API key was revoked.',
    remedy: 'Sign in again, or use another API key.',
  },
  tenant_mismatch: {
    status: 401,
    title: 'Token of another workspace',
    description: 'Tokens and API keys are only valid in the workspace that issued them.',
    remedy: 'Call the URL of that workspace, or sign in to this one.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    description: 'The email address or the password is incorrect.',
    remedy: 'Try again, or request a new password with POST /api/auth/forgot-password.',
  },
  invalid_code: {
    status: 401,
    title: 'Invalid single sign-on code',
    description: 'The code was already used, is older than a minute, or was issued to another browser.',
    remedy: 'Start the sign-in again in the browser you want to use.',
  },
  cross_site_request: {
    status: 403,
    title: 'Request of another site',
    description: 'A page of another host tried to use the refresh cookie of this workspace.',
    remedy: 'Send the refresh token in the body, or call from a page of this host.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'IP address not allowed',
    description: 'The connected app of this API key only accepts requests from certain IP addresses.',
    remedy: 'Ask an admin to add this IP address.',
  },
  connected_app_disabled: {
    status: 403,
    title: 'Disabled connected app',
    description: 'An admin has disabled the connected app of this API key.',
    remedy: 'Ask an admin to enable the app, or use another API key.',
  },
  account_disabled: {
    status: 403,
    title: 'Deactivated user',
    description: 'An admin has deactivated this user.',
    remedy: 'Contact an admin of the workspace.',
  },
  sso_required: {
    status: 403,
    title: 'Single sign-on required',
    description: 'The workspace does not accept a password from this user.',
    remedy: 'Sign in through one of the providers listed by GET /api/auth/sso/providers.',
  },
  signup_not_allowed: {
    status: 403,
    title: 'Sign-up not allowed',
    description: 'The workspace only accepts invited users, or email addresses of certain domains.',
    remedy: 'Use your company email address, or ask an admin of the workspace for an invitation.',
  },
  tenant_suspended: {
    status: 403,
    title: 'Suspended workspace',
    description: 'The operator has suspended this workspace. No data was deleted.',
    remedy: 'Contact the operator of the service.',
  },
  sso_state_invalid: {
    status: 400,
    title: 'Invalid single sign-on state',
    description: 'The provider returned a `state` that this service did not issue or that has expired.',
    remedy: 'Open the sign-in page of the workspace and start again.',
  },
  sso_not_configured: {
    status: 404,
    title: 'Provider not configured',
    description: 'The workspace does not allow signing in through this provider.',
    remedy: 'Use a provider listed by GET /api/auth/sso/providers, or ask an admin to configure this one.',
  },
  last_admin: {
    status: 409,
    title: 'Last active admin',
    description: 'This user is the last active admin of the workspace.',
    remedy: 'Make another user an admin first.',
  },
  self_change: {
    status: 409,
    title: 'Not allowed on your own account',
    description:
      'Users cannot change their own role or status, reset their own password as an admin, or impersonate themselves.',
    remedy: 'Ask another admin, or change your password with POST /api/auth/change-password.',
  },
  currency_in_use: {
    status: 409,
    title: 'Base currency in use',
    description: 'Stored amounts were calculated in the base currency, so it cannot change any more.',
    remedy: 'Keep the currency, or create a new workspace with another one.',
  },
  confirmation_missing: {
    status: 409,
    title: 'Missing confirmation',
    description: 'This action cannot be undone and requires confirmation.',
    remedy: 'Repeat the request with the confirmation that the message names.',
  },
}
