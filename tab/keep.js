// Puts files of the app into the cache of service-worker.js: while a service worker is installed, a browser keeps scripts
// compiled with them. So extension.js installs this one for each list of files, and it goes when they are there.

oninstall = event => event.waitUntil(new Promise(resolve => (onmessage = ({ data }) => resolve(keep(data)))));

async function keep(urls) {
  const cache = await caches.open("minigrad-tab-app");
  for (const url of urls) await cache.add(url).catch(() => null); // a full disk
  await registration.unregister();
}
