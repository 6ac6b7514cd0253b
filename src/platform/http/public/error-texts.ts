import type { PageTexts } from '#platform/html'

export type ErrorTexts = {
  unknownHost: { title: string; text: string }
  notFound: { title: string; text: string }
  gone: { title: string; text: string }
  /** `wait` is a relative time, such as "in 2 minutes". */
  tooManyRequests: { title: string; text: (wait: string) => string }
  unavailable: { title: string; text: (wait: string) => string }
  invalid: { title: string; text: string }
  failed: { title: string; text: string }
  toStartPage: string
  requestId: (id: string) => string
}

export const errorTexts: PageTexts<ErrorTexts> = {
  en: {
    unknownHost: {
      title: 'There is no workspace here',
      text: 'Check the address in your browser. It begins with the name of the workspace.',
    },
    notFound: {
      title: 'This page does not exist',
      text: 'Check the address in your browser, or open the link from the email again.',
    },
    gone: { title: 'This page is no longer available', text: 'Ask the sender of the link for a new one.' },
    tooManyRequests: { title: 'Too many requests', text: (wait) => `Try again ${wait}.` },
    unavailable: { title: 'Not available at the moment', text: (wait) => `Try again ${wait}.` },
    invalid: { title: 'This did not work', text: 'Go back, check your input and try again.' },
    failed: { title: 'Something went wrong', text: 'The error is on our side. Try again in a few minutes.' },
    toStartPage: 'Go to the start page',
    requestId: (id) => `If it happens again, tell us this number: ${id}`,
  },
  de: {
    unknownHost: {
      title: 'Hier gibt es keinen Arbeitsbereich',
      text: 'Prüfen Sie die Adresse im Browser. Sie beginnt mit dem Namen des Arbeitsbereichs.',
    },
    notFound: {
      title: 'Diese Seite gibt es nicht',
      text: 'Prüfen Sie die Adresse im Browser, oder öffnen Sie den Link in der E-Mail noch einmal.',
    },
    gone: { title: 'Diese Seite ist nicht mehr verfügbar', text: 'Bitten Sie den Absender um einen neuen Link.' },
    tooManyRequests: { title: 'Zu viele Anfragen', text: (wait) => `Versuchen Sie es ${wait} noch einmal.` },
    unavailable: { title: 'Zurzeit nicht verfügbar', text: (wait) => `Versuchen Sie es ${wait} noch einmal.` },
    invalid: {
      title: 'Das hat nicht funktioniert',
      text: 'Gehen Sie zurück, prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.',
    },
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Versuchen Sie es in einigen Minuten noch einmal.',
    },
    toStartPage: 'Zur Startseite',
    requestId: (id) => `Wenn es wieder passiert, nennen Sie uns diese Nummer: ${id}`,
  },
  fr: {
    unknownHost: {
      title: 'Aucun espace de travail ici',
      text: 'Vérifiez l’adresse dans votre navigateur. Elle commence par le nom de l’espace de travail.',
    },
    notFound: {
      title: 'Cette page n’existe pas',
      text: 'Vérifiez l’adresse dans votre navigateur, ou ouvrez de nouveau le lien de l’e-mail.',
    },
    gone: { title: 'Cette page n’est plus disponible', text: 'Demandez un nouveau lien à l’expéditeur.' },
    tooManyRequests: { title: 'Trop de demandes', text: (wait) => `Réessayez ${wait}.` },
    unavailable: { title: 'Indisponible pour le moment', text: (wait) => `Réessayez ${wait}.` },
    invalid: { title: 'Cela n’a pas fonctionné', text: 'Revenez en arrière, vérifiez votre saisie et réessayez.' },
    failed: { title: 'Une erreur est survenue', text: 'Le problème vient de nous. Réessayez dans quelques minutes.' },
    toStartPage: 'Aller à la page d’accueil',
    requestId: (id) => `Si cela se reproduit, indiquez-nous ce numéro : ${id}`,
  },
  es: {
    unknownHost: {
      title: 'Aquí no hay ningún espacio de trabajo',
      text: 'Compruebe la dirección en el navegador. Empieza por el nombre del espacio de trabajo.',
    },
    notFound: {
      title: 'Esta página no existe',
      text: 'Compruebe la dirección en el navegador o abra de nuevo el enlace del correo.',
    },
    gone: { title: 'Esta página ya no está disponible', text: 'Pida un enlace nuevo al remitente.' },
    tooManyRequests: { title: 'Demasiadas solicitudes', text: (wait) => `Vuelva a intentarlo ${wait}.` },
    unavailable: { title: 'No disponible en este momento', text: (wait) => `Vuelva a intentarlo ${wait}.` },
    invalid: { title: 'No ha funcionado', text: 'Vuelva atrás, compruebe los datos e inténtelo de nuevo.' },
    failed: { title: 'Algo ha ido mal', text: 'El error es nuestro. Vuelva a intentarlo dentro de unos minutos.' },
    toStartPage: 'Ir a la página de inicio',
    requestId: (id) => `Si vuelve a ocurrir, indíquenos este número: ${id}`,
  },
  pt: {
    unknownHost: {
      title: 'Não há nenhum espaço de trabalho aqui',
      text: 'Verifique o endereço no navegador. Ele começa com o nome do espaço de trabalho.',
    },
    notFound: {
      title: 'Esta página não existe',
      text: 'Verifique o endereço no navegador ou abra novamente o link do e-mail.',
    },
    gone: { title: 'Esta página já não está disponível', text: 'Peça um novo link ao remetente.' },
    tooManyRequests: { title: 'Demasiados pedidos', text: (wait) => `Tente novamente ${wait}.` },
    unavailable: { title: 'Indisponível neste momento', text: (wait) => `Tente novamente ${wait}.` },
    invalid: { title: 'Não funcionou', text: 'Volte atrás, verifique os dados e tente novamente.' },
    failed: { title: 'Ocorreu um erro', text: 'O erro é nosso. Tente novamente dentro de alguns minutos.' },
    toStartPage: 'Ir para a página inicial',
    requestId: (id) => `Se voltar a acontecer, indique-nos este número: ${id}`,
  },
}
