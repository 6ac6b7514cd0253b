import type { AccountPage, PageTheme } from './page-layout.ts'
import {
  actionButton,
  emailField,
  form,
  link,
  nameField,
  newPasswordField,
  paragraph,
  passwordField,
  section,
  sectionButton,
} from './page-parts.ts'

type PageFactory = (theme: PageTheme) => AccountPage

const visible = { isHidden: false }

/** Pages linked from emails and single sign-on. The script of a page shows one of its sections at a time. */
export const accountPages: Record<string, PageFactory> = {
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
      ...signedInSections(theme),
    ],
  }),
  '/auth/complete': (theme) => ({
    title: 'Signing in',
    script: 'complete.js',
    sections: [
      section('waiting', 'Signing you in …', [], visible),
      section('failed', 'Sign-in failed', [link('Try again', '/login')]),
      ...signedInSections(theme),
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
      section('verified', 'Email address verified', [link('Continue', '/login')]),
      section('failed', 'Email address not verified', [
        actionButton('Send a new link', 'resend'),
        link('Sign in', '/login'),
      ]),
    ],
  }),
}

const signInParts = [
  '<div id="providers"></div>',
  '<p id="sso-only" hidden>This workspace requires single sign-on. Only admins can sign in with a password.</p>',
  form([emailField('sign-in'), passwordField('sign-in', 'password', 'Password')], 'Sign in'),
  sectionButton('Forgot your password?', 'forgot'),
  '<button type="button" id="to-sign-up" data-show="sign-up" disabled hidden>Sign up</button>',
]

const signedInSections = ({ minPasswordLength }: PageTheme): string[] => [
  section('change-password', 'Choose a new password', [
    paragraph('Your password is temporary. Choose a new one to continue.'),
    form(
      [
        passwordField('change-password', 'current_password', 'Current password'),
        newPasswordField('change-password', 'new_password', 'New password', minPasswordLength),
      ],
      'Save password',
    ),
  ]),
  section('unverified', 'Verify your email address', [
    '<p>You are signed in as <strong data-who></strong>. Open the link in the email that we sent you.</p>',
    actionButton('Resend email', 'resend'),
  ]),
  section('signed-in', 'You are signed in', [
    '<p>Signed in as <strong data-who></strong>.</p>',
    actionButton('Sign out', 'sign-out'),
  ]),
]

const choosePasswordPage = ({ minPasswordLength }: PageTheme, heading: string): AccountPage => ({
  title: heading,
  script: 'choose-password.js',
  sections: [
    section(
      'choose',
      heading,
      [form([newPasswordField('choose', 'new_password', 'New password', minPasswordLength)], 'Save password')],
      visible,
    ),
    section('chosen', 'Password saved', [link('Sign in', '/login')]),
    section('failed', 'This link is not valid', [link('Request a new link', '/login#forgot')]),
  ],
})
