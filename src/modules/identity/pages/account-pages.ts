import type { Look, Page } from './page-layout.ts'
import {
  act,
  emailField,
  form,
  link,
  nameField,
  newPasswordField,
  paragraph,
  passwordField,
  section,
  turnTo,
} from './page-parts.ts'

type Make = (look: Look) => Page

const first = { isHidden: false }

/** The pages that mails and single sign-on lead to. Each is a few sections, of which its script shows one at a time. */
export const accountPages: Record<string, Make> = {
  '/login': (look) => ({
    title: 'Sign in',
    script: 'login.js',
    sections: [
      section('sign-in', 'Sign in', signInParts, first),
      section('forgot', 'Forgot your password?', [
        paragraph('We send you a link to choose a new one.'),
        form([emailField('forgot')], 'Send the link'),
        turnTo('Back', 'sign-in'),
      ]),
      section('sign-up', 'Sign up', [
        form(
          [
            nameField('sign-up'),
            emailField('sign-up'),
            newPasswordField('sign-up', 'password', 'Password', look.minPasswordLength),
          ],
          'Sign up',
        ),
        turnTo('Back', 'sign-in'),
      ]),
      ...arrivalSections(look),
    ],
  }),
  '/auth/complete': (look) => ({
    title: 'Signing in',
    script: 'complete.js',
    sections: [
      section('waiting', 'Signing you in …', [], first),
      section('failed', 'You are not signed in', [link('Try again', '/login')]),
      ...arrivalSections(look),
    ],
  }),
  '/reset-password': (look) => choosePassword(look, 'Choose a new password'),
  '/accept-invite': (look) => choosePassword(look, `Welcome to ${look.workspace}`),
  '/verify-email': () => ({
    title: 'Confirm your e-mail address',
    script: 'verify-email.js',
    sections: [
      section('waiting', 'Confirming your e-mail address …', [], first),
      section('sign-in-first', 'Sign in to confirm your e-mail address', [
        paragraph('The link is kept for you meanwhile.'),
        link('Sign in', '/login#return_to=/verify-email'),
      ]),
      section('verified', 'Your e-mail address is confirmed', [link('Go on', '/login')]),
      section('failed', 'Your e-mail address is not confirmed', [
        act('Send a new link', 'resend'),
        link('Sign in', '/login'),
      ]),
    ],
  }),
}

const signInParts = [
  '<div id="providers"></div>',
  '<p id="sso-only" hidden>This workspace uses single sign-on. Only admins sign in with a password.</p>',
  form([emailField('sign-in'), passwordField('sign-in', 'password', 'Password')], 'Sign in'),
  turnTo('Forgot your password?', 'forgot'),
  '<button type="button" id="to-sign-up" data-show="sign-up" disabled hidden>Sign up</button>',
]

/** Where somebody is once they have signed in. */
const arrivalSections = ({ minPasswordLength }: Look): string[] => [
  section('change-password', 'Choose a new password', [
    paragraph('Your password is a temporary one. Choose your own before you go on.'),
    form(
      [
        passwordField('change-password', 'current_password', 'Present password'),
        newPasswordField('change-password', 'new_password', 'New password', minPasswordLength),
      ],
      'Save the password',
    ),
  ]),
  section('unverified', 'Confirm your e-mail address', [
    '<p>You are signed in as <strong data-who></strong>. Open the link in the mail that we sent to you.</p>',
    act('Send the mail again', 'resend'),
  ]),
  section('signed-in', 'You are signed in', [
    '<p>Signed in as <strong data-who></strong>.</p>',
    act('Sign out', 'sign-out'),
  ]),
]

/** A link from a mail, by which somebody chooses a password: their first one, or a new one. */
const choosePassword = ({ minPasswordLength }: Look, heading: string): Page => ({
  title: heading,
  script: 'choose-password.js',
  sections: [
    section(
      'choose',
      heading,
      [form([newPasswordField('choose', 'new_password', 'New password', minPasswordLength)], 'Save the password')],
      first,
    ),
    section('chosen', 'Your password is saved', [link('Sign in', '/login')]),
    section('failed', 'This link does not work', [link('Get a new link', '/login#forgot')]),
  ],
})
