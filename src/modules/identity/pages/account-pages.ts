import type { HtmlPage, PageTheme } from '#platform/html'
import {
  actionButton,
  emailField,
  form,
  keyNameField,
  link,
  nameField,
  newPasswordField,
  paragraph,
  passwordField,
  section,
  sectionButton,
} from './page-parts.ts'

const providerIcons = [
  '<template id="icon-google"><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path fill="#4285f4" d="M17.6 9.2c0-.6-.1-1.2-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9c1.7-1.6 2.7-3.9 2.7-6.6z"/><path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2a5.4 5.4 0 0 1-8.1-2.8H1v2.3A9 9 0 0 0 9 18z"/><path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8z"/><path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7z"/></svg></template>',
  '<template id="icon-okta"><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="6.5" fill="none" stroke="currentColor" stroke-width="4"/></svg></template>',
]

export type AccountPageTheme = PageTheme & { minPasswordLength: number }
type AccountPage = { title: string; script: string; sections: string[] }
type PageFactory = (theme: AccountPageTheme) => AccountPage

const visible = { isHidden: false }

/** Pages linked from emails and single sign-on. The script of a page shows one of its sections at a time. */
const accountPages: Record<string, PageFactory> = {
  '/': (theme) => ({
    title: 'Home',
    script: 'home.js',
    sections: [
      section('loading', 'Loading …', [], visible),
      section('unverified', 'Verify your email address', [
        '<p>You are signed in as <strong data-who></strong>. Open the link in the email that we sent you.</p>',
        actionButton('Resend email', 'resend'),
      ]),
      section('signed-in', theme.workspace, [
        '<p>Signed in as <strong data-who></strong>.</p>',
        '<h2>Create an API key</h2>',
        paragraph('Programs use the API with a key. It can do what you can do.'),
        form([keyNameField], 'Create key'),
        `<div id="new-key" hidden>${newKeyParts.join('\n')}</div>`,
        '<h2>Read on</h2>',
        '<ul>',
        '<li><a href="/reference">API reference</a></li>',
        '<li><a href="/reference/tags/users">Users</a>: invite colleagues</li>',
        '<li><a href="/reference/tags/admin">Settings</a>: branding, sign-in, single sign-on</li>',
        '</ul>',
        actionButton('Sign out', 'sign-out'),
      ]),
    ],
  }),
  '/login': (theme) => ({
    title: 'Sign in',
    script: 'login.js',
    sections: [
      section('sign-in', 'Sign in', signInParts, visible),
      section('forgot', 'Forgot your password?', [
        paragraph('We will email you a link to choose a new password.'),
        form([emailField('forgot')], 'Send link'),
        sectionButton('Back', 'sign-in'),
      ]),
      section('sign-up', 'Sign up', [
        form(
          [
            nameField('sign-up'),
            emailField('sign-up'),
            newPasswordField('sign-up', 'password', 'Password', theme.minPasswordLength),
          ],
          'Sign up',
        ),
        sectionButton('Back', 'sign-in'),
      ]),
      changePasswordSection(theme),
    ],
  }),
  '/auth/complete': (theme) => ({
    title: 'Signing in',
    script: 'complete.js',
    sections: [
      section('waiting', 'Signing you in …', [], visible),
      section('failed', 'Sign-in failed', [link('Try again', '/login')]),
      changePasswordSection(theme),
    ],
  }),
  '/reset-password': (theme) => choosePasswordPage(theme, 'Choose a new password'),
  '/accept-invite': (theme) => choosePasswordPage(theme, `Welcome to ${theme.workspace}`),
  '/verify-email': () => ({
    title: 'Verify your email address',
    script: 'verify-email.js',
    sections: [
      section('waiting', 'Verifying your email address …', [], visible),
      section('sign-in-first', 'Sign in to verify your email address', [
        paragraph('We will continue once you have signed in.'),
        link('Sign in', '/login#return_to=/verify-email'),
      ]),
      section('verified', 'Email address verified', [link('Continue', '/')]),
      section('failed', 'Email address not verified', [
        actionButton('Send a new link', 'resend'),
        link('Sign in', '/login'),
      ]),
    ],
  }),
}

export const accountPagePaths: readonly string[] = Object.keys(accountPages)

export function buildAccountPage(path: string, theme: AccountPageTheme): HtmlPage {
  const { title, script, sections } = accountPages[path]!(theme)
  const body = [
    '<p id="problem" role="alert"></p>',
    '<p id="news" role="status"></p>',
    '<noscript>This page needs JavaScript.</noscript>',
    ...sections,
  ].join('\n')
  return { title, script: `/pages/${script}`, body }
}

const signInParts = [
  ...providerIcons,
  '<div id="providers" hidden><p class="divider">or</p></div>',
  '<p id="sso-only" hidden>This workspace requires single sign-on. Only admins can sign in with a password.</p>',
  form([emailField('sign-in'), passwordField('sign-in', 'password', 'Password')], 'Sign in'),
  sectionButton('Forgot your password?', 'forgot'),
  '<button type="button" id="to-sign-up" data-show="sign-up" disabled hidden>Sign up</button>',
]

const changePasswordSection = ({ minPasswordLength }: AccountPageTheme): string =>
  section('change-password', 'Choose a new password', [
    paragraph('Your password is temporary. Choose a new one to continue.'),
    form(
      [
        passwordField('change-password', 'current_password', 'Current password'),
        newPasswordField('change-password', 'new_password', 'New password', minPasswordLength),
      ],
      'Save password',
    ),
  ])

const newKeyParts = [
  '<p>Your API key. Copy it now; it is not shown again.</p>',
  '<output id="api-key"></output>',
  actionButton('Copy', 'copy-key'),
  '<p>A first call with it:</p>',
  '<pre id="first-call" tabindex="0"></pre>',
]

const choosePasswordPage = ({ minPasswordLength }: AccountPageTheme, heading: string): AccountPage => ({
  title: heading,
  script: 'choose-password.js',
  sections: [
    section('waiting', 'Checking the link …', [], visible),
    section('choose', heading, [
      form([newPasswordField('choose', 'new_password', 'New password', minPasswordLength)], 'Save password'),
    ]),
    section('chosen', 'Password saved', [link('Sign in', '/login')]),
    section('failed', 'This link is not valid', [link('Request a new link', '/login#forgot')]),
  ],
})
