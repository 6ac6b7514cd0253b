import { escapeHtml } from '#platform/html'
import { actionButton, form, section, textField } from './page-parts.ts'

const who = '<b data-who></b>'

/** The page of developers, in English. */
export const homeSections = (workspace: string): string[] => [
  section('loading', { heading: 'Loading …' }, [], { isHidden: false }),
  section(
    'unverified',
    {
      icon: 'checkedEmail',
      heading: 'Verify your email address',
      lead: `You are signed in as ${who}. Open the link in the email that we sent you.`,
    },
    [actionButton('Resend email', 'resend')],
  ),
  section('signed-in', { heading: workspace, lead: `Signed in as ${who}.` }, [
    '<p class="lead">The web application is not built. Build it with <code>npm run build -w web</code> and restart.</p>',
    `<div><h2>Create an API key</h2><p class="lead">${escapeHtml('Programs use the API with a key. It can do what you can do.')}</p></div>`,
    form([textField('signed-in', 'name', 'Name of the key', 'off')], 'Create key'),
    `<div class="stack" id="new-key" hidden>${newKeyParts.join('\n')}</div>`,
    '<h2>Read on</h2>',
    `<ul class="links">
<li><a href="/reference">API reference</a></li>
<li><a href="/reference/tags/users">Users</a>: invite colleagues</li>
<li><a href="/reference/tags/admin">Settings</a>: branding, sign-in, single sign-on</li>
</ul>`,
    actionButton('Sign out', 'sign-out'),
  ]),
]

const newKeyParts = [
  '<p>Your API key. Copy it now; it is not shown again.</p>',
  '<output id="api-key"></output>',
  actionButton('Copy', 'copy-key'),
  '<p>A first call with it:</p>',
  '<pre id="first-call" tabindex="0"></pre>',
]
